import { models } from '../models.js';

/** A choice of a model. */
export interface ModelChoiceProps {
  /** What it is for. */
  readonly label: string;
  /** Name of the model chosen. */
  readonly chosen: { value: string };
}

/** Chooses one of the models there are. */
export function ModelChoice({ label, chosen }: ModelChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
        {(models.value ?? [{ name: chosen.value }]).map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
