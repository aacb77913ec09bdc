import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import type { Field, RollupKind } from '#domain/fields/field.ts'
import { rollupsIn } from '#domain/formulas/value-field.ts'
import type { FormulaCalendar } from '#domain/formulas/expression.ts'
import type { Event } from '#domain/shared/event.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { CollectionId, FieldId, IdGenerator, RecordId, UserId } from '#domain/shared/ids.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import type { IsIndexed } from '#server/query/run/slow-query-log.ts'
import type { Definitions, DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Database, Transaction, WriteOptions } from '#server/platform/database/database.ts'
import { UniqueViolation } from '#server/platform/database/database-errors.ts'
import { hiddenDefinitionFields } from '#server/query/definitions/find-collection.ts'
import type { ChangeFeed } from '#server/platform/events/change-feed.ts'
import type { Change, ChangeKind, ChangeSet, ChangeSetDetails, ChangeSource } from './change-log.ts'
import { collectRecordChanges, type RecordChangeNotes } from './record-changes.ts'
import { notifyCluster } from '#server/platform/events/cluster-notifications.ts'
import { maintainRollups } from '#server/records/rollups/maintain-rollups.ts'
import { rollupsOf } from '#server/records/rollups/rollup-plans.ts'
import { appendChanges } from './store.ts'
import type { AuditKind } from '#domain/audit/audit-kind.ts'
import { collectionChanges } from '#domain/audit/audit-changes.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { RecordChange } from '#domain/query/list/evaluate-change.ts'
import type { Touched } from '#domain/rules/rule-violations.ts'
import { findViolations, type RuleCheckContext, violationProblem } from '#server/records/rules/evaluate-rules.ts'

type WrittenRecord = {
  readonly collection: CollectionId
  readonly change: RecordChange
  readonly unread: readonly FieldId[]
}

/** Rejects a write after which a changed record would violate a rule. The changes are in write order. */
async function assertRules(judging: RuleCheckContext, written: readonly WrittenRecord[]): Promise<void> {
  for (const [id, notes] of Map.groupBy(written, ({ collection }) => collection)) {
    const collection = judging.definitions.byId.get(id)
    if (!collection?.rules?.length) continue
    const touched = touchedRecords(notes, rollupsIn(collection.fields))
    const broken = await findViolations(judging, collection, touched)
    if (broken.size > 0) throw ruleProblem(judging, collection, { broken, count: touched.size })
  }
}

/**
 * The net change of each record. A record that was changed and changed back is not checked, except for fields written
 * without read permission, because skipping the check would reveal that the value is unchanged.
 */
function touchedRecords(
  written: readonly WrittenRecord[],
  rollups: readonly Field<RollupKind>[],
): ReadonlyMap<RecordId, Touched> {
  const touched = new Map<RecordId, Touched>()
  for (const [id, all] of Map.groupBy(written, ({ change }) => change.after?.id ?? change.before?.id ?? '')) {
    const [before, after] = [all[0]?.change.before ?? null, all.at(-1)?.change.after ?? null]
    if (after === null) continue
    const unread = all.flatMap((one) => one.unread)
    const fields = before === null ? 'new' : new Set([...changedFieldIds(before.values, after.values), ...unread])
    if (fields === 'new') touched.set(id, fields)
    else if (fields.size > 0) touched.set(id, new Set([...fields, ...rollupsBehind(fields, rollups)]))
  }
  return touched
}

/** Rollups whose path starts with a changed relation. */
export const rollupsBehind = (
  changed: ReadonlySet<FieldId>,
  rollups: readonly Field<RollupKind>[],
): readonly FieldId[] => rollups.filter(({ options }) => changed.has(options.path[0] ?? '')).map(({ id }) => id)

type Values = NonNullable<RecordChange['after']>['values']

const changedFieldIds = (before: Values, after: Values): readonly FieldId[] =>
  Object.keys(after).filter((field) => !sameJson(before[field] ?? null, after[field] ?? null))

type RuleBreach = { readonly broken: Awaited<ReturnType<typeof findViolations>>; readonly count: number }

function ruleProblem(judging: RuleCheckContext, collection: Collection, { broken, count }: RuleBreach): Problem {
  const rules = new Set([...broken.values()].flat())
  const reported = new Map<string, PartProblem>()
  for (const rule of rules) {
    const problem = violationProblem(judging, collection, rule)
    reported.set(`${problem.path} ${problem.message}`, problem)
  }
  const errors = [...reported.values()]
  const [first] = errors
  const where = count > 1 ? ` ${broken.size.toLocaleString('en')} of ${count.toLocaleString('en')} records:` : ''
  const more = errors.length > 1 ? ` ${errors.length - 1} more below.` : ''
  const byReason = Map.groupBy(broken, ([, [rule]]) =>
    rule ? violationProblem(judging, collection, rule).message : '',
  )
  const refused = [...byReason].map(([message, all]) => ({ message, records: all.map(([id]) => id) }))
  return new Problem('rule-broken', `Nothing was saved.${where} ${first?.message ?? ''}${more}`, { errors, refused })
}

const AUDITED: { readonly [Kind in ChangeKind]?: AuditKind } = {
  'collection-created': 'collection-created',
  'collection-changed': 'collection-changed',
  'collection-deleted': 'collection-removed',
}

async function auditDefinitions(
  transaction: Transaction,
  deps: { readonly clock: Clock; readonly newId: IdGenerator },
  userId: UserId | null,
  changes: readonly Change[],
): Promise<void> {
  for (const change of changes) {
    const kind = AUDITED[change.kind]
    if (kind === undefined || change.collection === null) continue
    // The change log contains full definitions.
    const [before, after] = [change.before, change.after].map((json) => json as unknown as Collection | null)
    const what = collectionChanges(before ?? null, after ?? null)
    if (what.length === 0) continue
    const details = { name: after?.label ?? before?.label ?? '', changes: JSON.stringify(what) }
    await writeAudit(transaction.db, deps, { kind, userId, collection: change.collection, address: '', details })
  }
}

export type WriteDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly announce: (event: Event) => void
  readonly feed: ChangeFeed
  readonly isIndexed?: IsIndexed | undefined
}

/** A write in progress, with the definitions of its transaction, so that tables can't change during the write. */
export type Writing = RecordChangeNotes & {
  readonly transaction: Transaction
  readonly definitions: Definitions
  readonly actor: Actor
  readonly at: string
  readonly newId: IdGenerator
}

/** For formulas that are evaluated in a write. */
export const calendarAt = ({ at, definitions }: Pick<Writing, 'at' | 'definitions'>): FormulaCalendar => ({
  now: new Date(at),
  timeZone: definitions.timeZone,
})

export type WriteResult<Answer> = {
  readonly answer: Answer
  readonly changes: readonly Change[]
  readonly events: readonly Event[]
  readonly changeSet?: ChangeSetDetails
  /** Rolls the write back after all checks. */
  readonly isPreview?: boolean
}

/** Rolls a write back and carries its answer. */
class Preview<Answer> extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super()
    this.answer = answer
  }
}

export type CommitOptions = WriteOptions & {
  /** Adds what the actor may know about a unique value that is already in use. */
  readonly explainDuplicate?: (problem: Problem) => Promise<Problem>
}

/**
 * The only function that writes workspace data. `work` checks permissions, validates and writes inside the
 * transaction; then the rules of the collections are checked and the changes appended to the change log, in the same
 * transaction. Events and change notifications follow after the commit.
 */
export async function commitChange<Answer>(
  deps: WriteDeps,
  actor: Actor,
  work: (writing: Writing) => Promise<WriteResult<Answer>>,
  { explainDuplicate, ...options }: CommitOptions = {},
): Promise<Answer> {
  let definitions: Definitions | undefined
  const write = deps.database.write(
    async (transaction) => {
      const known = await deps.definitions.within(transaction)
      definitions = known
      const at = deps.clock().toISOString()
      const { collections } = rollupsOf(known)
      const { rulesToCheck, changedBy, writtenBy, ...notes } = collectRecordChanges(
        (id) => hasRules(known.byId.get(id)),
        (id) => collections.has(id),
      )
      const done = await work({ ...notes, transaction, definitions, actor, at, newId: deps.newId })
      const areDefinitionsChanged = done.events.some(({ type }) => type === 'definitions-changed')
      const current = areDefinitionsChanged ? await deps.definitions.within(transaction) : known
      const written = { ...writtenBy(done), areDefinitionsChanged }
      const rollups = await maintainRollups({ transaction, definitions: current, isIndexed: deps.isIndexed }, written)
      for (const collection of rollups.changed) notes.noteManyChanges(collection)
      await assertRules({ transaction, definitions, actor, at }, rulesToCheck())
      if (done.isPreview) throw new Preview(done.answer)

      const userId = userIdOf(actor)
      await auditDefinitions(transaction, deps, userId, done.changes)
      const set = changeSetOf(actor, at, { id: deps.newId(), ...done.changeSet })
      const markOf = appendChanges(
        transaction,
        set,
        done.changes.map((change) => ({ ...change, id: deps.newId(), at, userId, changeSet: set.id })),
      )
      const changed = areDefinitionsChanged ? 'everything' : changedBy(done)
      if (changed) notifyCluster(transaction, { changed })
      transaction.afterCommit(() => {
        for (const event of done.events) deps.announce(event)
        if (areDefinitionsChanged) deps.definitions.adopt(current)
        if (rollups.isPending) deps.announce({ type: 'recalculation-requested' })
        if (changed) deps.feed.announce({ mark: markOf(), changed })
      })
      return done.answer
    },
    { isOptimistic: true, ...options },
  )
  // Two writers can insert the same value concurrently, so only the database can detect a duplicate.
  return write.catch(async (error: unknown) => {
    if (error instanceof Preview) return error.answer
    if (!(error instanceof UniqueViolation)) throw error
    const problem = notUnique(error, actor, definitions)
    throw explainDuplicate ? await explainDuplicate(problem) : problem
  })
}

/** The write with the definitions as it has changed them so far. */
export const withCurrentDefinitions = async (
  { definitions }: Pick<WriteDeps, 'definitions'>,
  writing: Writing,
): Promise<Writing> => ({ ...writing, definitions: await definitions.within(writing.transaction) })

function changeSetOf(actor: Actor, at: string, { id = '', ...given }: ChangeSetDetails): ChangeSet {
  const token = actor.type === 'user' ? (actor.tokenId ?? null) : null
  const via: ChangeSource = actor.type === 'user' ? (token === null ? 'web' : 'token') : 'cli'
  const rest = { undoes: null, isDeletion: false, idempotencyKey: null }
  return { id, at, userId: userIdOf(actor), via, sourceId: token, ...rest, ...given }
}

/**
 * Commits a definition change. Definition changes run one at a time, and caches are updated after each. No other write
 * runs meanwhile: it would lock the definitions first and then a table, this one a table first, so they could block each
 * other.
 */
export const commitDefinition = <Answer>(
  deps: WriteDeps,
  actor: Actor,
  work: (writing: Writing) => Promise<WriteResult<Answer>>,
  options: WriteOptions = {},
): Promise<Answer> =>
  commitChange(deps, actor, work, { ...options, alone: 'definitions', isQuiet: true, isOptimistic: false })

const hasRules = (collection: Definitions['list'][number] | undefined): boolean => Boolean(collection?.rules?.length)

export function notUnique({ field: id }: UniqueViolation, actor: Actor, definitions: Definitions | undefined): Problem {
  const collection = definitions?.list.find(({ fields }) => fields.some((each) => each.id === id))
  // The duplicate can be a default value in a field that the creator can't read, so a hidden field isn't named.
  const isKnown = collection && !hiddenDefinitionFields(actor, collection).has(id)
  const field = isKnown ? fieldById(collection, id) : undefined
  const message =
    field?.kind === 'relation'
      ? `Another record already links to this one, and ${field.label} can link to each record only once.`
      : `Another record already has this ${field?.label ?? 'value'}, and it must be unique.`
  return new Problem('values-invalid', `Nothing was saved. ${message}`, {
    errors: [{ path: field?.name ?? '', code: 'not-unique', message }],
  })
}
