import type { z } from 'zod'
import type { listGroups as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { FieldValue } from '#domain/fields/field.ts'
import { isEmptyValue, printValue } from '#domain/fields/kinds.ts'
import { type GroupField, checkGroupQuery } from '#domain/query/list/group.ts'
import { kindOfLeaf } from '#domain/query/filter/read-literal.ts'
import { DEFAULT_FORM, apiValue } from '#domain/records/named-values.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { withRecalculating } from '#server/records/rollups/recalculating-fields.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { namesOf } from '#server/access/people/routes.ts'
import { findManualOrder } from '#server/records/views/manual-order.ts'
import { queryActorOf, type RecordDeps } from './record-deps.ts'
import { checkedQuery, queryContext, toQueryProblem, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { recordTitles } from '#server/records/show/visible-titles.ts'

type GroupsQuery = z.output<(typeof endpoint)['query']>
type GroupsAnswer = z.input<(typeof endpoint)['response']>

export async function listGroups(
  deps: RecordDeps,
  actor: Actor,
  nameOrId: string,
  requested: GroupsQuery,
): Promise<GroupsAnswer> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const queryActor = queryActorOf(deps, definitions, actor)
  const { by, aggregates = 'count', order, filter, sort, search, page, perPage } = requested
  const grouping = checkGroupQuery(
    { by, aggregates, order, page, perPage },
    queryContext(queryActor, collection, decision),
  )
  if (!grouping.ok) throw toQueryProblem(grouping.fault)
  const manualOrder = await findManualOrder(deps, actor, collection, sort)
  const query = checkedQuery(queryActor, collection, decision, { filter, sort, manualOrder, search, page: 1, perPage })
  const listing = { scope: scopeOf(deps, definitions), query, definitionsVersion: definitions.version }
  const viewed = { definitions, collection, hidden: decision.hiddenFields }
  const { groups, total, recalculating } = await withRecalculating(deps, viewed, () =>
    deps.shapes.groups(listing, grouping.value),
  )
  const fields = grouping.value.by
  const titles = await Promise.all(
    fields.map((field, at) =>
      relatedTitles(
        deps,
        { actor, definitions },
        field,
        groups.map((group) => group.key[at] ?? null),
      ),
    ),
  )
  return {
    groups: groups.map((group) => ({
      key: Object.fromEntries(fields.map((field, at) => [field.name, shownKey(field, group.key[at] ?? null)])),
      label: fields.map((field, at) => labelOf(field, group.key[at] ?? null, titles[at])).join(' · '),
      count: group.count,
      aggregates: Object.fromEntries(
        grouping.value.aggregates.map(({ text }, at) => [text, group.aggregates[at] ?? null]),
      ),
      offset: group.offset,
    })),
    page,
    perPage,
    total,
    ...(recalculating && { recalculating }),
  }
}

function shownKey({ leaf }: GroupField, value: FieldValue): unknown {
  if (isEmptyValue(value)) return null
  return leaf.type === 'field' ? apiValue(leaf.field, value, DEFAULT_FORM) : value
}

function labelOf({ leaf }: GroupField, value: FieldValue, titles: ReadonlyMap<string, string> | undefined): string {
  if (isEmptyValue(value)) return ''
  const isNamed = kindOfLeaf(leaf) === 'relation' || kindOfLeaf(leaf) === 'user'
  if (leaf.type === 'field' && !isNamed) return printValue(leaf.field, value)
  return typeof value === 'string' ? titles?.get(value) || value : ''
}

async function relatedTitles(
  deps: RecordDeps,
  viewer: { readonly actor: Actor; readonly definitions: Definitions },
  { leaf }: GroupField,
  keys: readonly FieldValue[],
): Promise<ReadonlyMap<string, string>> {
  const ids = keys.flatMap((key) => (typeof key === 'string' ? [key] : []))
  if (kindOfLeaf(leaf) === 'user') return namesOf(deps.database.read, ids)
  if (leaf.type !== 'field' || leaf.field.kind !== 'relation') return new Map()
  const related = viewer.definitions.byId.get(leaf.field.options.collection)
  if (!related) return new Map()
  return recordTitles(deps, viewer, related, ids)
}
