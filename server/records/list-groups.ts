import type { z } from 'zod'
import type { listGroups as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import { isEmptyValue, printValue } from '#domain/fields/kinds.ts'
import { checkGroupQuery } from '#domain/query/group.ts'
import { PLAIN_FORM, outsideValue } from '#domain/records/named-values.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { selectGroups } from '#server/query/run-records-query.ts'
import type { RecordNeeds } from './record-needs.ts'
import { checkedQuery, queryContext, queryProblem, scopeOf } from './records-query.ts'
import { titlesOf } from './show-records.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['answer']>

/** Story: the groups of a list, with counts, aggregates and where each begins. */
export async function listGroups(needs: RecordNeeds, actor: Actor, nameOrId: string, asked: Query): Promise<Answer> {
  const { database } = needs
  const definitions = await needs.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const asker = { definitions, actor, now: needs.clock() }
  const grouping = checkGroupQuery({ by: asked.by, aggregates: asked.aggregates ?? 'count' }, queryContext(asker, collection))
  if (!grouping.ok) throw queryProblem(grouping.fault)

  const query = checkedQuery(asker, collection, decision, {
    ...(asked.filter !== undefined && { filter: asked.filter }),
    ...(asked.sort !== undefined && { sort: asked.sort }),
    ...(asked.search !== undefined && { search: asked.search }),
    page: asked.page,
    perPage: asked.perPage,
  })
  const { groups, total } = await selectGroups(
    database.read,
    database.dialect,
    collection,
    query,
    grouping.value,
    scopeOf(definitions, collection),
  )
  const fields = grouping.value.by
  const titles = await Promise.all(
    fields.map((field, at) => relatedTitles(needs, { actor, definitions }, field, groups.map((group) => group.key[at] ?? null))),
  )
  return {
    groups: groups.map((group) => ({
      key: Object.fromEntries(fields.map((field, at) => [field.name, shownKey(field, group.key[at] ?? null)])),
      label: fields.map((field, at) => labelOf(field, group.key[at] ?? null, titles[at])).join(' · '),
      count: group.count,
      aggregates: Object.fromEntries(grouping.value.aggregates.map((aggregate, at) => [aggregate.text, group.aggregates[at] ?? null])),
      offset: group.offset,
    })),
    page: asked.page,
    perPage: asked.perPage,
    total,
  }
}

const shownKey = (field: Field, value: FieldValue): unknown =>
  isEmptyValue(value) ? null : outsideValue(field, value, PLAIN_FORM)

function labelOf(field: Field, value: FieldValue, titles: ReadonlyMap<string, string> | undefined): string {
  if (isEmptyValue(value)) return ''
  if (field.kind === 'relation') return titles?.get(String(value)) ?? String(value)
  return printValue(field, value)
}

async function relatedTitles(
  needs: RecordNeeds,
  viewer: { readonly actor: Actor; readonly definitions: Definitions },
  field: Field,
  keys: readonly FieldValue[],
): Promise<ReadonlyMap<string, string>> {
  if (field.kind !== 'relation') return new Map()
  const related = viewer.definitions.byId.get(field.options.collection)
  const decision = decide(viewer.actor, 'records:read', field.options.collection)
  if (!related || !decision.allowed) return new Map()
  return titlesOf(needs, related, decision.hiddenFields, keys.flatMap((key) => (typeof key === 'string' ? [key] : [])))
}
