import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { fieldById } from '#domain/collections/collection.ts'
import type { Event } from '#domain/events/event.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions, DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'
import type { Database, Transaction, WriteOptions } from '#server/platform/database/database.ts'
import { UniqueViolation } from '#server/platform/database/errors/unique-violation.ts'
import { hiddenDefinitionFields } from '#server/query/definitions/find-collection.ts'
import { assertRules } from '#server/records/rules/assert-rules.ts'
import { auditDefinitions } from './audit-definitions.ts'
import type { ChangeFeed } from '#server/platform/events/change-feed.ts'
import type { Change } from './change-log.ts'
import { type RecordChangeNotes, collectRecordChanges } from './record-changes.ts'
import { notifyCluster } from '#server/platform/events/cluster-notifications.ts'
import { appendChanges } from './store.ts'

/** What every story that writes is handed. */
export type WriteDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly newId: IdGenerator
  /** Sends an event to whoever listens, after it is stored. */
  readonly announce: (event: Event) => void
  /** Tells what was committed to whoever keeps something that follows from records. */
  readonly feed: ChangeFeed
}

/** A write on its way. The definitions are those of this very transaction, so a table cannot change under it. */
export type Writing = RecordChangeNotes & {
  readonly transaction: Transaction
  readonly definitions: Definitions
  readonly actor: Actor
  /** The instant of the write, ISO 8601 in UTC. */
  readonly at: string
  readonly newId: IdGenerator
}

/** What a write did: its answer, what goes into the log, and what is told afterwards. */
export type WriteResult<Answer> = {
  readonly answer: Answer
  readonly changes: readonly Change[]
  readonly events: readonly Event[]
  /** Groups the changes of a deletion, so that they can be undone together. */
  readonly changeSet?: string
}

/**
 * The one place where anything of the workspace is written. `work` judges the actor, validates and writes inside the
 * transaction; what it wrote is held against the rules of its collections, and its changes are appended to the change log,
 * in the same transaction; events and what the change feed tells go out after it is durable.
 */
export async function commitChange<Answer>(
  needs: WriteDeps,
  actor: Actor,
  work: (writing: Writing) => Promise<WriteResult<Answer>>,
  options: WriteOptions = {},
): Promise<Answer> {
  let definitions: Definitions | undefined
  const write = needs.database.write(async (transaction) => {
    const known = await needs.definitions.within(transaction)
    definitions = known
    const at = needs.clock().toISOString()
    const { toJudge, changedBy, ...notes } = collectRecordChanges((id) => hasRules(known.byId.get(id)))
    const done = await work({ ...notes, transaction, definitions, actor, at, newId: needs.newId })
    await assertRules({ transaction, definitions, actor, at }, toJudge())

    const userId = userIdOf(actor)
    await auditDefinitions(transaction.db, needs, userId, done.changes)
    const markOf = appendChanges(
      transaction,
      done.changes.map((change) => ({ ...change, id: needs.newId(), at, userId, changeSet: done.changeSet ?? null })),
    )
    const isEverything = done.events.some(({ type }) => type === 'definitions-changed')
    const changed = isEverything ? 'everything' : changedBy(done)
    if (changed) notifyCluster(transaction, { changed })
    transaction.afterCommit(() => {
      for (const event of done.events) needs.announce(event)
      if (changed) needs.feed.announce({ mark: markOf(), changed })
    })
    return done.answer
  }, options)
  // Two writers may bring the same value at once, so only the database can tell that a value is there already.
  return write.catch((error: unknown) => {
    throw error instanceof UniqueViolation ? notUnique(error, actor, definitions) : error
  })
}

/** The same for what changes definitions: one after another, so that no two of them meet, and caches follow each. */
export const commitDefinition = <Answer>(
  needs: WriteDeps,
  actor: Actor,
  work: (writing: Writing) => Promise<WriteResult<Answer>>,
  options: WriteOptions = {},
): Promise<Answer> => commitChange(needs, actor, work, { ...options, alone: 'definitions' })

const hasRules = (collection: Definitions['list'][number] | undefined): boolean => Boolean(collection?.rules?.length)

/** What to tell about a value that another record has already. */
export function notUnique({ field: id }: UniqueViolation, actor: Actor, definitions: Definitions | undefined): Problem {
  const collection = definitions?.list.find(({ fields }) => fields.some((each) => each.id === id))
  // What a record starts with may stand in a field its maker knows nothing of.
  const isKnown = collection && !hiddenDefinitionFields(actor, collection).has(id)
  const field = isKnown ? fieldById(collection, id) : undefined
  const message = `Another record already has this ${field?.label ?? 'value'}, and it must be unique.`
  return new Problem('values-invalid', `Nothing was saved. ${message}`, {
    errors: [{ path: field?.name ?? '', code: 'not-unique', message }],
  })
}
