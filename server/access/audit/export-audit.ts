import type { Actor } from '#domain/access/actor.ts'
import { auditChangeInWords } from '#domain/audit/audit-changes.ts'
import { type AuditItem, auditDetails, auditSentence } from '#domain/audit/describe-audit.ts'
import { guardFormula, printCsvLine } from '#domain/imports/print-csv.ts'
import { type AuditQuery, type AuditReadDeps, entriesOf, matchesWords, wordsOf } from './read-audit.ts'

/** Entries read at a time. */
const CHUNK_ENTRIES = 1000

const COLUMNS = [
  'at',
  'what',
  'details',
  'changes',
  'kind',
  'user',
  'user id',
  'about',
  'about id',
  'collection',
  'address',
  'data',
  'id',
]

/** Story: the audit log as CSV, portion by portion, as much of it as is asked for. */
export async function* exportAudit(needs: AuditReadDeps, actor: Actor, query: AuditQuery): AsyncGenerator<string> {
  const words = wordsOf(query.text)
  yield printCsvLine(COLUMNS)
  for await (const { items } of entriesOf(needs, actor, query, CHUNK_ENTRIES)) {
    const lines = items.filter((item) => matchesWords(item, words)).map(lineOf)
    if (lines.length > 0) yield lines.join('')
  }
}

/** People choose their names, so a cell may begin like a formula. */
function lineOf(item: AuditItem): string {
  const { id, at, kind, user, about, collection, address, details } = item
  const changes = item.changes.map(auditChangeInWords).join('; ')
  const cells = [
    at,
    auditSentence(item),
    auditDetails(item),
    changes,
    kind,
    user?.name,
    user?.id,
    about?.name,
    about?.id,
  ]
  const rest = [collection?.name, address, JSON.stringify(details), id]
  return printCsvLine([...cells, ...rest].map((cell) => guardFormula(cell ?? '')))
}
