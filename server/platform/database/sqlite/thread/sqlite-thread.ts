/** Runs in a worker thread with one connection; only this file and the key reader use better-sqlite3. */

import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite, { type Database } from 'better-sqlite3'
import type { CellValue, PackedBatch } from '#server/platform/database/database.ts'
import { forEachEntry, forEachStoredRow } from '#server/platform/database/rows/packed-batch.ts'
import { openConnection, UNEXPECTED_VALUE } from './open-connection.ts'
import { columnsOf, type StatementCache, statementCache } from './statement-cache.ts'
import type {
  Message,
  ThreadFault,
  ThreadNotice,
  ThreadReply,
  ThreadRequest,
  ThreadResult,
  ThreadSettings,
} from './thread-messages.ts'

/**
 * The writer's transaction: opened by the first write in a batch, with one savepoint per write and a single commit. No
 * statement may run outside the transaction, even after a failure.
 */
type WriteBatch = {
  /** The next commit doesn't wait for the disk. */
  readonly relax: () => void
  readonly stepIn: (opensJob: boolean) => void
  /** Rolls back the current job when it ends, and rejects its further statements. */
  readonly failJob: (error: unknown) => void
  readonly endJob: (isKept: boolean) => void
  readonly commit: () => void
  /**
   * Must be called after every failure, because SQLite rolls back the whole batch after some errors (disk full, I/O
   * error).
   */
  readonly noteFailure: (error: unknown) => void
}

function createWriteBatch(db: Database, statements: StatementCache): WriteBatch {
  let isOpen = false
  let isRelaxed = false
  let jobFailure: { readonly error: unknown } | undefined
  let lostBecause: { readonly error: unknown } | undefined
  const control = (statement: string): void => void statements.find(statement).statement.run()

  function refuseWhenLost(): void {
    if (lostBecause !== undefined) throw lostBecause.error
  }

  return {
    relax: () => {
      isRelaxed = true
    },
    stepIn: (opensJob) => {
      refuseWhenLost()
      if (!opensJob && !isOpen) throw new Error('The transaction could not be started.')
      if (!opensJob && jobFailure) throw jobFailure.error
      if (!opensJob) return
      jobFailure = undefined
      if (!isOpen && isRelaxed) db.pragma('synchronous = normal')
      if (!isOpen) control('begin immediate')
      isOpen = true
      control('savepoint job')
    },
    failJob: (error) => {
      jobFailure ??= { error }
    },
    endJob: (isKept) => {
      if (lostBecause !== undefined || !isOpen) return
      if (!isKept || jobFailure) control('rollback to job')
      control('release job')
    },
    commit: () => {
      isOpen = false
      try {
        refuseWhenLost()
        if (db.inTransaction) control('commit')
      } finally {
        lostBecause = undefined
        if (db.inTransaction) control('rollback')
        if (isRelaxed) db.pragma('synchronous = full')
        isRelaxed = false
      }
    },
    noteFailure: (error) => {
      if (isOpen && !db.inTransaction) lostBecause ??= { error }
    },
  }
}

const OPENING = 0

const settings = workerData as ThreadSettings

const send = (replies: readonly ThreadReply[]): void => parentPort?.postMessage(replies)

function faultOf(error: unknown): ThreadFault {
  if (error instanceof BetterSqlite.SqliteError) {
    const { code, message } = error
    // A write on a read-only connection is a bug rather than a disk problem.
    const isReadersOwn = settings.role !== 'writer' && code.startsWith('SQLITE_READONLY')
    return { code: isReadersOwn ? 'UNEXPECTED' : code, message }
  }
  return { code: 'UNEXPECTED', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

/** Another connection changed tables while SQLite opened a search index; SQLite repeats the statement only once. */
const isOutdatedSchema = (error: unknown): boolean =>
  error instanceof BetterSqlite.SqliteError && error.code === 'SQLITE_SCHEMA'

const MAX_REPEATS = 50

type Done = Omit<ThreadResult, 'tookMs'>

const NOTHING: Done = { columns: [], rows: [] }

function run(statements: StatementCache, { statement: text, parameters, expected }: Run): Done {
  const prepared = statements.find(text)
  if (!prepared.statement.reader) return { ...NOTHING, affected: prepared.statement.run(...parameters).changes }
  // In raw mode, each row is an array of cells.
  const rows = prepared.statement.all(...parameters) as CellValue[][]
  if (expected !== undefined && rows[0]?.[0] !== expected)
    throw new BetterSqlite.SqliteError(`Not ${String(expected)}: ${text}`, UNEXPECTED_VALUE)
  return { columns: columnsOf(prepared, rows[0]), rows }
}

function runForEach(statements: StatementCache, { statement: text, rows }: RunForEach): Done {
  const { statement } = statements.find(text)
  for (const row of rows) statement.run(...row)
  return { ...NOTHING, affected: rows.length }
}

function runPacked(statements: StatementCache, batch: PackedBatch): Done {
  const { statement } = statements.find(batch.statement)
  forEachStoredRow(batch, (cells) => void statement.run(...cells))
  for (const list of batch.lists) {
    const entry = statements.find(list.statement).statement
    forEachEntry(list, batch.leftOut, (owner, position, text) => void entry.run(owner, position, text))
  }
  return { ...NOTHING, affected: batch.count - batch.leftOut.size }
}

/** Pages in the WAL before it is started over. */
const MIN_WAL_PAGES = 4000
const MAX_REST = 1 / 8
/** Copied in about 20 ms. */
const MAX_REST_PAGES = 1500

/**
 * SQLite starts the WAL over once all pages are in the database file. While others are being written all the time, the
 * threads that copy them never reach the end, so the writer copies the last ones. Otherwise the WAL would grow until a
 * commit had to copy thousands of pages.
 */
function copyLastPages(statements: StatementCache): void {
  const [wal] = run(statements, { statement: 'pragma wal_checkpoint(noop)', parameters: [] }).rows
  const [, pages, copied] = (wal ?? []).map(Number)
  if (pages === undefined || copied === undefined || pages < MIN_WAL_PAGES) return
  const rest = pages - copied
  if (rest > 0 && rest <= Math.min(pages * MAX_REST, MAX_REST_PAGES))
    run(statements, { statement: 'pragma wal_checkpoint(passive)', parameters: [] })
}

type Run = Pick<Extract<ThreadRequest, { readonly type: 'run' }>, 'statement' | 'parameters' | 'expected'>
type RunForEach = Extract<ThreadRequest, { readonly type: 'run-for-each' }>

function serve(): void {
  const db = openConnection(settings)
  const statements = statementCache(db)
  const batch: WriteBatch | undefined = settings.role === 'writer' ? createWriteBatch(db, statements) : undefined

  function answer(question: ThreadRequest): Done {
    switch (question.type) {
      case 'run':
        batch?.stepIn(question.opensJob)
        return run(statements, question)
      case 'run-for-each':
        batch?.stepIn(question.opensJob)
        return runForEach(statements, question)
      case 'run-packed':
        batch?.stepIn(question.opensJob)
        return runPacked(statements, question.batch)
      case 'commit':
        batch?.commit()
        return NOTHING
      case 'close':
        statements.clear()
        db.close()
        return NOTHING
    }
  }

  function answerInSchema(question: ThreadRequest): Done {
    for (let repeats = 0; ; repeats += 1)
      try {
        return answer(question)
      } catch (error) {
        if (repeats === MAX_REPEATS || !isOutdatedSchema(error)) throw error
      }
  }

  function replyTo(message: Exclude<Message, ThreadNotice>): ThreadReply {
    let startedAt = performance.now()
    try {
      statements.readTables()
      startedAt = performance.now()
      const done = settings.role === 'writer' ? answer(message) : answerInSchema(message)
      return { id: message.id, answer: { ...done, tookMs: performance.now() - startedAt } }
    } catch (error) {
      batch?.noteFailure(error)
      if (message.type === 'run' && message.isSent) batch?.failJob(error)
      return { id: message.id, fault: faultOf(error) }
    }
  }

  function finishWal(): void {
    try {
      copyLastPages(statements)
    } catch {
      // The next commit tries it again.
    }
  }

  parentPort?.on('message', (messages: readonly Message[]) => {
    const replies: ThreadReply[] = []
    for (const message of messages) {
      if (message.type === 'forget-statements') statements.clear()
      else if (message.type === 'end-job') batch?.endJob(message.isKept)
      else if (message.type === 'relax-commit') batch?.relax()
      else replies.push(replyTo(message))
    }
    if (replies.length > 0) send(replies)
    if (messages.some(({ type }) => type === 'commit')) finishWal()
  })
}

try {
  serve()
  send([{ id: OPENING, answer: { ...NOTHING, tookMs: 0 } }])
} catch (error) {
  send([{ id: OPENING, fault: faultOf(error) }])
  parentPort?.close()
}
