import type { Context, Hono } from 'hono';
import { ApiError } from '../api/api-error.js';
import { checkQuery } from '../api/check-body.js';
import { API_ROOT, PROJECT_OPERATIONS } from '../api/operations.js';
import { checkDecision, MOST_DECISIONS } from '../project/decisions.js';
import { checkDocument } from '../project/document.js';
import { checkProject } from '../project/project.js';
import type { Store } from '../project/store.js';
import type { StudioEnvironment } from './guards.js';
import { operationNamed } from './label-routes.js';
import { readJsonBody } from './read-body.js';
import { ROLES, type Role } from './tokens.js';

const ROOT = `${API_ROOT}/projects`;

/**
 * Adds the routes of projects.
 *
 * @param isTeam whether annotators have tokens, so that each writes their own journal only.
 */
export function addProjectRoutes(app: Hono<StudioEnvironment>, store: Store, isTeam: boolean): void {
  const operation = (id: string) => operationNamed(PROJECT_OPERATIONS, id);
  app.get(ROOT, async (context) => context.json({ projects: await store.projects() }));
  app.put(`${ROOT}/:project`, async (context) => {
    needsRole(context, 'owner');
    const { project } = await readJsonBody(context, operation('saveProject'));
    const checked = checkProject(project);
    if (checked.id !== context.req.param('project')) {
      throw new ApiError(400, 'bad-request', 'expected the project of the address');
    }
    await store.saveProject(checked);
    return context.json({});
  });
  app.get(`${ROOT}/:project/documents`, async (context) =>
    context.json({ documents: await store.documents(context.req.param('project')) }),
  );
  app.post(`${ROOT}/:project/documents`, async (context) => {
    needsRole(context, 'owner');
    const { documents } = await readJsonBody(context, operation('addDocuments'));
    if (!Array.isArray(documents)) throw new ApiError(400, 'bad-request', 'documents: expected a list');
    const checked = documents.map(checkDocument);
    return context.json({ documents: await store.addDocuments(context.req.param('project'), checked) });
  });
  app.get(`${ROOT}/:project/documents/:document`, async (context) =>
    context.json(await store.document(context.req.param('project'), context.req.param('document'))),
  );
  app.get(`${ROOT}/:project/annotators`, async (context) => {
    const all = await store.annotators(context.req.param('project'));
    const { name, role } = context.get('visitor');
    return context.json({ annotators: isAtLeast(role, 'curator') ? all : all.filter((own) => own === name) });
  });
  app.get(`${ROOT}/:project/journal/:annotator`, async (context) => {
    const { project, annotator } = context.req.param();
    if (isTeam && annotator !== context.get('visitor').name) needsRole(context, 'curator');
    const { after } = checkQuery(operation('journal').query ?? [], context.req.query());
    return context.json({ decisions: await store.journal(project, annotator, Number(after)) });
  });
  app.post(`${ROOT}/:project/journal/:annotator`, async (context) => {
    const { project, annotator } = context.req.param();
    const { name } = context.get('visitor');
    if (isTeam && annotator !== name) {
      throw new ApiError(403, 'forbidden', `expected the journal of ${name}, who asks, found another`);
    }
    const { decisions } = await readJsonBody(context, operation('append'));
    if (!Array.isArray(decisions) || decisions.length === 0 || decisions.length > MOST_DECISIONS) {
      throw new ApiError(400, 'bad-request', `decisions: expected a list of 1 to ${MOST_DECISIONS}`);
    }
    const checked = decisions.map(checkDecision);
    if (checked.some(({ kind }) => kind === 'adjudicate')) needsRole(context, 'curator');
    await store.append(project, annotator, checked);
    return context.json({});
  });
}

function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

function needsRole(context: Context<StudioEnvironment>, least: Role): void {
  const { role, name } = context.get('visitor');
  if (isAtLeast(role, least)) return;
  throw new ApiError(403, 'forbidden', `expected somebody who is ${least}, found ${name}, who is ${role}`);
}
