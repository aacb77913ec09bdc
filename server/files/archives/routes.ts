import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { create as contentDisposition } from 'content-disposition'
import * as api from '#api/files.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { can, canByAddress } from '#server/platform/http/access.ts'
import { parseRequestPart } from '#server/platform/http/parse-request.ts'
import { readText } from '#server/platform/http/read-json-body.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { authenticateArchiveRequest } from '#server/files/assets/browser-actor.ts'
import { collectRecordZip, collectRecordsZip, type Zip, type ZipDeps, type ZipQuery } from './collect-zip.ts'
import { signArchiveUrl } from '#server/files/assets/signed-urls.ts'
import { zipArchive, zipBytes } from './zip-archive.ts'

/** Large enough for the largest selection that the UI sends in one request. */
const FORM_MAX_BYTES = 1_000_000

type ArchiveRequest = { readonly actor: Actor; readonly reply: FastifyReply; readonly address: string }

/** Archive downloads count toward the client's transfer limit. */
export function zipRoutes(deps: ZipDeps): readonly Route[] {
  const sendMany = async (
    { actor, reply, address }: ArchiveRequest,
    collection: string,
    query: ZipQuery,
  ): Promise<void> => {
    const zip = await collectRecordsZip(deps, actor, collection, query)
    const entry = { kind: 'records-exported', userId: userIdOf(actor), collection: zip.collection.id } as const
    await deps.database.write(({ db }) => writeAudit(db, deps, { ...entry, address }))
    await sendZip(reply, zip)
  }

  return [
    route(
      api.zipRecord,
      canByAddress('records:read', authenticateArchiveRequest(deps)),
      async ({ actor, params, query, reply }) =>
        sendZip(reply, await collectRecordZip(deps, actor, params, query.field)),
    ),
    route(api.zipRecords, can('records:export'), async ({ actor, params, query, request, reply }) =>
      sendMany({ actor, reply, address: request.ip }, params.collection, query),
    ),
    route(api.zipSelection, can('records:export'), async ({ actor, params, body, request, reply }) =>
      sendMany({ actor, reply, address: request.ip }, params.collection, body),
    ),
    route(
      api.zipByForm,
      canByAddress('records:export', authenticateArchiveRequest(deps)),
      async ({ actor, params, body, request, reply }) =>
        sendMany({ actor, reply, address: request.ip }, params.collection, await readForm(body)),
    ),
    ...downloadRoutes(deps),
  ]
}

/**
 * Creates URLs that the browser downloads directly. Archives that can't be sent are rejected here, while the page can
 * still show the reason.
 */
function downloadRoutes(deps: ZipDeps): readonly Route[] {
  const tell = (actor: Actor, { entries }: Zip, path: string, more = '') => ({
    url: signArchiveUrl(deps.keys, deps.clock(), actor, path) + more,
    files: entries.length,
    bytes: zipBytes(entries),
  })
  return [
    route(api.archiveOfRecord, can('records:read'), async ({ actor, params, query: { field } }) => {
      const path = pathOf(api.zipRecord.path, params)
      const zip = await collectRecordZip(deps, actor, params, field)
      return tell(actor, zip, path, field === undefined ? '' : `&field=${encodeURIComponent(field)}`)
    }),
    route(api.archiveOfSelection, can('records:export'), async ({ actor, params, body }) =>
      tell(actor, await collectRecordsZip(deps, actor, params.collection, body), pathOf(api.zipByForm.path, params)),
    ),
  ]
}

const pathOf = (path: string, params: { readonly [name: string]: string }): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** A form with one JSON field. */
async function readForm(body: Readable): Promise<ZipQuery> {
  const form = new URLSearchParams(await readText(body, FORM_MAX_BYTES))
  const requested = await Promise.resolve(form.get('asked') ?? '')
    .then((text): unknown => JSON.parse(text))
    .then(
      (json) => json,
      () => undefined,
    )
  return parseRequestPart('body', api.zipForm, requested)
}

/** Resolves when the response has been sent or the client has disconnected. */
async function sendZip(reply: FastifyReply, { name, entries }: Zip): Promise<void> {
  reply.headers({
    'content-type': 'application/zip',
    'content-length': zipBytes(entries),
    'content-disposition': contentDisposition(`${name}.zip`, {
      fallback: `${name.replace(/[^\x20-\x7e]|%/g, '_')}.zip`,
    }),
    'cache-control': 'no-store',
  })
  await reply.send(Readable.from(zipArchive(entries), { objectMode: false }))
}
