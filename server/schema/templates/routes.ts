import * as api from '#api/templates.ts'
import type { TemplateBody } from '#api/templates.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Template, TemplateCollection } from '#domain/collections/template.ts'
import type { CollectionId, UserId } from '#domain/shared/ids.ts'
import type { Language } from '#domain/shared/language.ts'
import { Problem } from '#domain/shared/problem.ts'
import { assertCollectionUnreferenced } from '#server/schema/roles/assert-unreferenced.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { commitDefinition, type WriteDeps } from '#server/records/changes/commit-change.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { discardCollection } from '#server/schema/collections/change-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { templatesIn, useTemplate } from './use-template.ts'

/** Whether this user created these collections in one write and nothing has changed since, according to the log. */
async function isUnchangedSinceCreation(
  { db }: Transaction,
  collections: readonly CollectionId[],
  user: UserId | null,
): Promise<boolean> {
  const writes = await db
    .selectFrom('changes')
    .select(['at', 'user_id'])
    .distinct()
    .where('collection_id', 'in', [...collections])
    // Two entries are enough to tell; the log of a large collection is long.
    .limit(2)
    .execute()
  const made = await db
    .selectFrom('changes')
    .select('collection_id')
    .where('collection_id', 'in', [...collections])
    .where('kind', '=', 'collection-created')
    .execute()
  return writes.length === 1 && writes[0]?.user_id === user && made.length === new Set(collections).size
}

/** Deletes everything created from a template, if nothing in it was changed. */
async function undoTemplate(deps: WriteDeps, actor: Actor, ids: readonly CollectionId[]): Promise<void> {
  await commitDefinition(deps, actor, async (writing) => {
    if (!(await isUnchangedSinceCreation(writing.transaction, ids, userIdOf(actor)))) throw changedSince()
    const undone = []
    // Collections come after the targets of their relations, so they are deleted in reverse order.
    for (const id of ids.toReversed()) {
      const definitions = await deps.definitions.within(writing.transaction)
      const { collection } = getCollection(definitions, actor, 'collections:manage', id)
      await assertCollectionUnreferenced({ ...writing, definitions }, collection)
      await discardCollection({ ...writing, definitions }, collection)
      undone.push(definitionChange(collection, null))
    }
    return {
      answer: undefined,
      changes: undone.flatMap(({ changes }) => changes),
      events: undone.flatMap(({ events }) => events),
    }
  })
}

const changedSince = (): Problem =>
  new Problem(
    'in-use',
    'Nothing was deleted, because these collections have been changed since they were created. Delete them one by one in their settings.',
  )

const listTemplates = (language: Language): TemplateBody[] => templatesIn(language).map(showTemplate)

const showTemplate = ({ collections, ...template }: Template): TemplateBody => {
  const { icon, color } = collections.at(-1) ?? {}
  return { ...template, ...(icon && { icon }), ...(color && { color }), collections: collections.map(showDescribed) }
}

function showDescribed({ label, fields, rules = [], views, records }: TemplateCollection) {
  const states = fields.find(({ kind }) => kind === 'state')?.options?.choices ?? []
  return {
    label,
    fields: fields.map((field) => ({ label: field.label, kind: field.kind })),
    states: states.map(({ name, color = 'gray' }) => ({ name, color })),
    rules: rules.map(({ message }) => message),
    views: views.map(({ name }) => name),
    examples: records.length,
  }
}

export const templateRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listTemplates, can('collections:manage'), async ({ query }) => ({
    items: listTemplates(query.language),
  })),
  route(api.useTemplate, can('collections:manage'), async ({ actor, params, body }) =>
    useTemplate(deps, actor, params.template, body),
  ),
  route(api.undoTemplate, can('collections:manage'), async ({ actor, body }) =>
    undoTemplate(deps, actor, body.collections),
  ),
]
