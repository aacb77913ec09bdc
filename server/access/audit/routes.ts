import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import * as api from '#api/audit.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { writeAudit } from './audit-log.ts'
import { type AuditQuery, type AuditReadDeps, entriesOf, matchesWords, readAudit, wordsOf } from './read-audit.ts'
import { describeAuditChange } from '#domain/audit/audit-changes.ts'
import { auditDetails, type AuditItem, auditSentence } from '#domain/audit/describe-audit.ts'
import { guardFormula, printCsvLine } from '#domain/imports/print-csv.ts'

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

async function* exportAudit(deps: AuditReadDeps, actor: Actor, query: AuditQuery): AsyncGenerator<string> {
  const words = wordsOf(query.text)
  yield printCsvLine(COLUMNS)
  for await (const { items } of entriesOf(deps, actor, query, CHUNK_ENTRIES)) {
    const lines = items.filter((item) => matchesWords(item, words)).map(lineOf)
    if (lines.length > 0) yield lines.join('')
  }
}

/** Escapes spreadsheet formulas, because names are user input. */
function lineOf(item: AuditItem): string {
  const { id, at, kind, user, about, collection, address, details } = item
  const changes = item.changes.map(describeAuditChange).join('; ')
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

export type AuditRouteDeps = AuditReadDeps & { readonly clock: Clock; readonly newId: IdGenerator }

/** The audit log is read-only; no route changes or deletes an entry. */
export const auditRoutes = (deps: AuditRouteDeps): readonly Route[] => [
  route(api.listAudit, can('audit:read'), async ({ actor, query }) => {
    const { items, ...page } = await readAudit(deps, actor, query)
    return {
      ...page,
      items: items.map((item) => ({ ...item, details: { ...item.details }, changes: [...item.changes] })),
    }
  }),
  route(api.exportAudit, can('audit:read'), async ({ actor, query, request, reply }) => {
    await deps.database.write(({ db }) =>
      writeAudit(db, deps, { kind: 'audit-exported', userId: userIdOf(actor), address: request.ip }),
    )
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', contentDisposition('audit-log.csv'))
      .header('cache-control', 'no-store')
      .send(Readable.from(exportAudit(deps, actor, query)))
  }),
]
