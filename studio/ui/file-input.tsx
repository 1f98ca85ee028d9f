import { useSignal } from '@preact/signals';

/** A place for files. */
export interface FileInputProps {
  /** What it is for. */
  readonly label: string;
  /** Help below it. */
  readonly help?: string;
  /** Extensions that are taken. */
  readonly accept?: string;
  /** Whether several are taken. */
  readonly multiple?: boolean;
  /** Told of the files. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped or chosen. */
export function FileInput({ label, help, accept, multiple, onFiles }: FileInputProps) {
  const isOver = useSignal(false);
  const take = (list: FileList | null | undefined) => {
    if (list && list.length > 0) onFiles([...list]);
  };
  return (
    <label
      class={`drop${isOver.value ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files);
      }}
    >
      <b>{label}</b>
      {help && <span class="quiet">{help}</span>}
      <input
        type="file"
        {...(accept !== undefined && { accept })}
        {...(multiple && { multiple })}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
