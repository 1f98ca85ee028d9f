import { type Template, type TemplateNode, type TemplateSet, templateSet } from '../features/template.js';
import { viewFamily } from '../features/views.js';
import { ANY_LIST, LIST_PREFIX } from '../features/words/lists.js';

/** Templates that read clusters or lists once for each family or list; left out where there are none. */
export function expandTemplates(set: TemplateSet, clusters: number, lists: readonly string[]): TemplateSet {
  if (!set.templates.some((template) => readsClusters(template) || readsAnyList(template))) return set;
  const families = Array.from({ length: clusters }, (_, f) => (f === 0 ? 'cluster' : `cluster${f + 1}`));
  const expanded = set.templates.flatMap((template) => {
    if (readsClusters(template)) {
      return families.map((family) => renamed(template, (view) => viewFamily(view, family)));
    }
    if (!readsAnyList(template)) return [template];
    return lists.map((name) => renamed(template, (view) => view.replace(ANY_LIST, LIST_PREFIX + name)));
  });
  return templateSet(set.name, expanded);
}

function renamed({ nodes }: Template, rename: (view: string) => string): Template {
  return {
    nodes: nodes.map((node): TemplateNode => ('view' in node ? { ...node, view: rename(node.view) } : node)),
  };
}

function readsClusters({ nodes }: Template): boolean {
  return nodes.some((node) => 'view' in node && viewFamily(node.view, '') !== node.view);
}

function readsAnyList({ nodes }: Template): boolean {
  return nodes.some((node) => 'view' in node && node.view.startsWith(ANY_LIST));
}
