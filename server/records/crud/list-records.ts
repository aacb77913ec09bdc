import type { z } from 'zod'
import type { listRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide, intersectDecisions } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { Expansion } from '#domain/records/expansion.ts'
import { checkFilter, checkIds } from '#domain/query/check/check-filter.ts'
import type { QueryContext } from '#domain/query/check/query-context.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { findHighlights, marksOnWire, searchedPart } from '#server/records/search/search-highlights.ts'
import { withRecalculating } from '#server/records/rollups/recalculating-fields.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { findManualOrder } from '#server/records/views/manual-order.ts'
import { cursorsOf } from './sealed-cursors.ts'
import { expandLinked, expansionsIn, topLevelNames } from './expand-linked.ts'
import { queryActorOf, type RecordDeps } from './record-deps.ts'
import {
  checkedQuery,
  type QueryActor,
  queryContext,
  scopeOf,
  toQueryProblem,
} from '#server/access/record-access/authorized-query.ts'
import { expandedIn, namesIn, shownPart, type ShowOptions, showRecords } from '#server/records/show/show-records.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import type { CheckedFilter } from '#domain/query/check/checked-filter.ts'
import { compileRule, unknownInPast } from '#domain/rules/rule-violations.ts'
import { missingInputs } from '#domain/formulas/formula-values.ts'
import { isMessageVisible } from '#domain/rules/visible-rules.ts'
import type { RuleId } from '#domain/rules/rule.ts'
import { Problem } from '#domain/shared/problem.ts'
import { createRuleReader, isRuleShown, ruleContextOf } from '#server/records/rules/evaluate-rules.ts'

/** Finds the records that violate a rule; only for collection managers, since the rule can use hidden fields. */
function violatingFilter(
  { actor, definitions, now, isPast = false }: QueryActor,
  collection: Collection,
  id: RuleId,
): CheckedFilter {
  if (!decide(actor, 'collections:manage', collection).allowed) {
    throw new Problem(
      'forbidden',
      `Only users who can manage ${collection.label} can list the records that violate its rules.`,
    )
  }
  const rule = collection.rules?.find((each) => each.id === id && isRuleShown({ actor, definitions }, collection, each))
  if (rule && !isMessageVisible(rule, createRuleReader({ actor, definitions }, collection))) {
    throw new Problem(
      'forbidden',
      'This rule uses values you can’t read, and the list of violations would reveal them. Ask an owner.',
    )
  }
  const context = ruleContextOf({ definitions, at: now.toISOString() }, collection)
  const ready = rule && compileRule(rule, context)
  const fault = ready && isPast ? unknownInPast(rule, context) : undefined
  if (fault !== undefined)
    throw new Problem('invalid-request', fault, {
      errors: [{ path: 'breaks', code: 'unknown-values', message: fault }],
    })
  if (ready) return ready.violatingFilter
  throw new Problem('invalid-request', `${collection.label} has no rule ${id}.`, {
    errors: [{ path: 'breaks', code: 'unknown-rule', message: 'There is no rule with this ID.' }],
  })
}

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['response']>

export const listRecords = (deps: RecordDeps, actor: Actor, nameOrId: string, requested: Query): Promise<Answer> =>
  listWithin(deps, { actor }, nameOrId, requested)

/**
 * `within` is another access decision that limits the result, such as the export permission; `only` limits it to these
 * records, and `also` to those that match another filter.
 */
export type Lister = {
  readonly actor: Actor
  readonly within?: AllowedDecision
  readonly only?: readonly RecordId[] | undefined
  readonly also?: Filter | undefined
}

/** Lists the records that match a query and the restrictions. Rows and count are queried concurrently. */
export async function listWithin(
  deps: RecordDeps,
  { actor, within, only, also }: Lister,
  nameOrId: string,
  requested: Query,
): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const { collection, decision: reading } = getCollection(definitions, actor, 'records:read', nameOrId)
  const decision = within ? intersectDecisions(reading, within) : reading
  const { filter, sort, search, cursor, perPage } = requested
  const page = cursor === undefined ? (requested.page ?? 1) : requested.page
  const queryActor = queryActorOf(deps, definitions, actor)
  const context = queryContext(queryActor, collection, reading)
  const among = only ? checkIds(only, context) : also && checkedFilter(also, context)
  const extraFilter = requested.breaks === undefined ? among : violatingFilter(queryActor, collection, requested.breaks)
  const rule = within?.where
  const manualOrder = await findManualOrder(deps, actor, collection, sort)
  const cursors = cursorsOf(deps.cursorSeal, actor, manualOrder)
  const query = checkedQuery(queryActor, collection, reading, {
    filter,
    storedFilter: rule,
    extraFilter,
    sort,
    manualOrder,
    search,
    cursor: cursors.read(cursor),
    page,
    perPage,
  })
  const scope = scopeOf(deps, definitions)
  const hidden = decision.hiddenFields
  const expansions = expansionsIn(requested.expand)
  const showing = showingOf(requested, expansions, collection, hidden)
  const shown = shownPart(collection, hidden, showing.fields)
  const isMarked = requested.marks === true && (search ?? '').trim() !== ''
  const marking = isMarked && query.search.terms.length > 0
  const marked = marking ? withFieldsOf(shown, searchedPart(collection, hidden)) : shown
  const read = withFieldsOf(marked, { ...collection, fields: missingInputs(collection, marked.fields) })
  const listing = { scope, query, definitionsVersion: definitions.version }
  const { rows, nextCursor, counted, recalculating } = await withRecalculating(
    deps,
    { definitions, collection, hidden },
    async () => {
      const [rowPage, total] = await Promise.all([
        deps.shapes.page(listing, read.fields),
        requested.count === 'none' ? UNCOUNTED : deps.shapes.total(listing, requested.count),
      ])
      return { ...rowPage, counted: total }
    },
  )
  const records = recordsOfRows(read, rows)
  const viewer = { actor, collection, decision }
  const items = await showRecords(deps, viewer, records, showing)
  await expandLinked(deps, queryActor, { collection, expansions, form: showing.form }, items)
  const found = marking ? await findHighlights(deps, viewer, records, { search: query.search, hidden }) : []
  return {
    // `marks` is included even for a search without words, which matches every record.
    items: isMarked ? items.map((item, at) => ({ ...item, marks: marksOnWire(found[at]) })) : items,
    page: Math.floor(query.page.ordinal / query.page.limit) + 1,
    perPage: query.page.limit,
    total: counted.total,
    totalIs: counted.totalIs,
    nextCursor: cursors.print(nextCursor),
    ...(recalculating && { recalculating }),
  }
}

function checkedFilter(filter: Filter, context: QueryContext): CheckedFilter {
  const checked = checkFilter(filter, context)
  if (checked.ok) return checked.value
  throw toQueryProblem(checked.fault)
}

function showingOf(
  requested: Query,
  expansions: readonly Expansion[],
  collection: Collection,
  hidden: HiddenFields,
): ShowOptions {
  return {
    form: { choices: requested.choices, richText: requested.richText },
    expand: expandedIn(topLevelNames(expansions), collection, hidden),
    fields: namesIn('fields', requested.fields, collection, hidden) ?? 'all',
    reverse: true,
  }
}

const withFieldsOf = (one: Collection, other: Collection): Collection =>
  other.fields.length === 0 ? one : { ...one, fields: [...new Set([...one.fields, ...other.fields])] }

const UNCOUNTED = { total: null, totalIs: 'unknown' } as const
