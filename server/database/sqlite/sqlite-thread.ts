/** Runs in a thread of its own, one connection each: the only place where better-sqlite3 is called. */
import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import type { CellValue } from '../database.ts'
import { openConnection } from './open-connection.ts'
import { statementCache } from './statement-cache.ts'
import type { Answer, Fault, Message, Question, Reply, ThreadSettings } from './thread-messages.ts'

/** The reply with this number says whether the thread could open its database. */
const OPENING = 0

// startThread hands over exactly this.
const settings = workerData as ThreadSettings

const send = (reply: Reply): void => parentPort?.postMessage(reply)

function faultOf(error: unknown): Fault {
  if (error instanceof BetterSqlite.SqliteError) return { code: error.code, message: error.message }
  return { code: 'UNEXPECTED', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

const nothing = (tookMs: number): Answer => ({ columns: [], rows: [], tookMs })

function serve(): void {
  const db = openConnection(settings)
  const statements = statementCache(db)
  /** Set when SQLite itself threw a whole transaction away (disk full, I/O error); all of it is answered with this. */
  let lostBecause: unknown
  let isInBatch = false

  const control = (statement: string): void => void statements.find(statement).statement.run()

  /** Sees to it that a statement of a write can never run outside a transaction, whatever failed before it. */
  function stepIntoJob(opensJob: boolean): void {
    if (settings.role === 'reader') return
    if (lostBecause !== undefined) throw lostBecause
    if (!opensJob) {
      if (!isInBatch) throw new Error('This write could not begin, so nothing more can be done in it.')
      return
    }
    if (!isInBatch) control('begin immediate')
    isInBatch = true
    control('savepoint job')
  }

  function run(statement: string, parameters: readonly unknown[], startedAt: number): Answer {
    const { statement: prepared, columns } = statements.find(statement)
    if (prepared.reader) {
      // Raw mode is on for every statement that answers rows: each row is a list of cells.
      const rows = prepared.all(...parameters) as CellValue[][]
      return { columns, rows, tookMs: performance.now() - startedAt }
    }
    const { changes } = prepared.run(...parameters)
    return { columns, rows: [], affected: changes, tookMs: performance.now() - startedAt }
  }

  function runForEach(statement: string, rows: readonly (readonly CellValue[])[], startedAt: number): Answer {
    const prepared = statements.find(statement).statement
    for (const row of rows) prepared.run(...row)
    return { columns: [], rows: [], affected: rows.length, tookMs: performance.now() - startedAt }
  }

  function endJob(isKept: boolean): void {
    if (lostBecause !== undefined || !isInBatch) return
    if (!isKept) control('rollback to job')
    control('release job')
  }

  function commit(): void {
    const lost = lostBecause
    lostBecause = undefined
    isInBatch = false
    if (lost !== undefined) throw lost
    if (db.inTransaction) control('commit')
  }

  function answer(question: Question, startedAt: number): Answer {
    switch (question.type) {
      case 'run':
        stepIntoJob(question.opensJob)
        return run(question.statement, question.parameters, startedAt)
      case 'run-for-each':
        stepIntoJob(question.opensJob)
        return runForEach(question.statement, question.rows, startedAt)
      case 'commit':
        commit()
        return nothing(performance.now() - startedAt)
      case 'close':
        statements.clear()
        db.close()
        return nothing(performance.now() - startedAt)
    }
  }

  function noteLoss(error: unknown): void {
    if (isInBatch && !db.inTransaction) lostBecause = error
    if (!isInBatch && db.inTransaction) control('rollback')
  }

  function receive(message: Message): void {
    if (message.type === 'forget-statements') return statements.clear()
    if (message.type === 'end-job') return endJob(message.isKept)
    try {
      send({ id: message.id, answer: answer(message, performance.now()) })
    } catch (error) {
      noteLoss(error)
      send({ id: message.id, fault: faultOf(error) })
    }
  }

  parentPort?.on('message', receive)
}

try {
  serve()
  send({ id: OPENING, answer: nothing(0) })
} catch (error) {
  send({ id: OPENING, fault: faultOf(error) })
  parentPort?.close()
}
