import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as api from '#api/imports.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { can } from '#server/platform/http/access.ts'
import { disconnectSignal } from '#server/platform/http/client-connection.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { reinspectImport } from './imports/reinspect-csv.ts'
import { cancelImport } from './imports/cancel-import.ts'
import { checkImport } from './imports/check-import.ts'
import { depsAsOf } from '#server/records/as-of/as-of.ts'
import { exportRecords } from './export-records.ts'
import type { ImportDeps, ImportRouteDeps } from './imports/import-deps.ts'
import { importInto } from './imports/import-into.ts'
import { assertOwnImport, readImport, showImport } from './imports/show-import.ts'
import { errorsPathOf, isThere } from '#server/transfer/imports/staged-files.ts'
import { startImport } from './imports/start-import.ts'
import { findImport } from './imports/store.ts'
import { receiveCsv } from './imports/receive-csv.ts'

export const importRoutes = (deps: ImportRouteDeps): readonly Route[] => [
  route(api.uploadImport, can('records:import'), async ({ actor, query, body, request }) => {
    assertNotMultipart(request)
    return showImport(await receiveCsv(deps, actor, { fileName: query.name, body }))
  }),
  route(api.startImport, can('records:import'), async ({ actor, params, body }) =>
    startImport(deps, actor, params.import, body),
  ),
  route(api.checkImport, can('records:import'), async ({ actor, params, body, reply }) =>
    checkImport(deps, actor, params.import, { body, signal: disconnectSignal(reply) }),
  ),
  route(api.inspectImport, can('records:import'), async ({ actor, params, body }) =>
    reinspectImport(deps, actor, params.import, body),
  ),
  route(api.readImport, can('records:import'), async ({ actor, params }) => readImport(deps, actor, params.import)),
  route(api.cancelImport, can('records:import'), async ({ actor, params }) => cancelImport(deps, actor, params.import)),
  route(api.readImportErrors, can('records:import'), async ({ actor, params, reply }) =>
    sendErrors(deps, actor, params.import, reply),
  ),
  route(api.importInto, can('records:import'), async ({ actor, params, query, body, request }) => {
    assertNotMultipart(request)
    const { name, onBadRow, separator, encoding, key } = query
    const known = { separator, encoding }
    return importInto(deps, actor, params.collection, { fileName: name, body, known, onBadRow, key })
  }),
  route(api.readImportOf, can('records:import'), async ({ actor, params }) =>
    readImport(deps, actor, params.import, params.collection),
  ),
  route(api.exportRecords, can('records:export'), async ({ actor, params, query, request, reply }) =>
    sendExport(deps, actor, { collection: params.collection, query, request, reply }),
  ),
  route(api.exportSelection, can('records:export'), async ({ actor, params, body, request, reply }) =>
    sendExport(deps, actor, { collection: params.collection, query: body, request, reply }),
  ),
]

type ExportRequest = {
  readonly collection: string
  readonly query: Parameters<typeof exportRecords>[3]
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function sendExport(deps: ImportRouteDeps, actor: Actor, requested: ExportRequest): Promise<void> {
  const { collection: name, query } = requested
  const asOf = await depsAsOf(deps, actor, { collection: name, at: query.at, also: 'records:export' })
  const { collection, lines } = await exportRecords(asOf, actor, name, query)
  const entry = { kind: 'records-exported', userId: userIdOf(actor), collection: collection.id } as const
  await deps.database.write(({ db }) => writeAudit(db, deps, { ...entry, address: requested.request.ip }))
  sendCsv(requested.reply, `${collection.name}.csv`, Readable.from(lines))
}

/** The body must be the file itself; form data would be read as CSV rows. */
function assertNotMultipart(request: FastifyRequest): void {
  if (!request.headers['content-type']?.startsWith('multipart/')) return
  throw new Problem('wrong-content-type', 'Send the CSV as the request body, not as a form.')
}

async function sendErrors(deps: ImportDeps, actor: Actor, id: string, reply: FastifyReply): Promise<void> {
  const item = assertOwnImport(actor, await findImport(deps.database.read, id))
  const path = errorsPathOf(deps, id)
  if (!(await isThere(path))) throw new Problem('not-found', 'This import has no error file.')
  sendCsv(reply, `${item.fileName.replace(/\.[^.]*$/, '')}-errors.csv`, createReadStream(path))
}

function sendCsv(reply: FastifyReply, name: string, body: Readable): void {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', contentDisposition(name))
    .header('cache-control', 'no-store')
    .send(body)
}
