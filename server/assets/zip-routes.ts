import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { create as contentDisposition } from 'content-disposition'
import * as api from '#api/files.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import { can, canByAddress } from '#server/http/access.ts'
import { parsePart } from '#server/http/parse-parts.ts'
import { readText } from '#server/http/read-json.ts'
import { type Route, route } from '#server/http/route.ts'
import { openGate } from '#server/storage/gate.ts'
import { archiveAsker } from './browser-actor.ts'
import { gatherOfRecord, gatherOfRecords, type Zip, type ZipNeeds, type ZipQuery } from './gather-zip.ts'
import { archiveAddress } from './signed-address.ts'
import { zipArchive, zipBytes } from './zip-archive.ts'

/** Archives sent at a time, and in line behind them: each reads one file after another for as long as its reader takes. */
const AT_A_TIME = 4
const IN_LINE = 20

/** Most bytes of a form: as many picked records as are packed at once fit, as a browser writes them. */
const FORM_MAX_BYTES = 1_000_000

type Asked = { readonly reply: FastifyReply; readonly gather: () => Promise<Zip> }
type AskedMany = { readonly actor: Actor; readonly reply: FastifyReply; readonly address: string }

/** The HTTP door of files as archives. */
export function zipRoutes(needs: ZipNeeds): readonly Route[] {
  const gate = openGate(AT_A_TIME, IN_LINE)

  const send = async ({ reply, gather }: Asked): Promise<void> => {
    const sending = gate.enter(async () => {
      // Whoever went away while in line needs no archive.
      if (!reply.raw.destroyed) await sendZip(reply, await gather())
    })
    if (sending === undefined) {
      throw new Problem('not-ready', 'Too many archives are being sent right now. Try again in a minute.', {
        retryAfterSeconds: 60,
      })
    }
    await sending
  }
  const sendMany = ({ actor, reply, address }: AskedMany, collection: string, query: ZipQuery): Promise<void> =>
    send({
      reply,
      gather: async () => {
        const zip = await gatherOfRecords(needs, actor, collection, query)
        const entry = { kind: 'records-exported', userId: userIdOf(actor), collection: zip.collection.id } as const
        await needs.database.write(({ db }) => writeAudit(db, needs, { ...entry, address }))
        return zip
      },
    })

  return [
    route(api.zipRecord, canByAddress('records:read', archiveAsker(needs)), async ({ actor, params, query, reply }) =>
      send({ reply, gather: () => gatherOfRecord(needs, actor, params, query.field) }),
    ),
    route(api.zipRecords, can('records:export'), async ({ actor, params, query, request, reply }) =>
      sendMany({ actor, reply, address: request.ip }, params.collection, query),
    ),
    route(api.zipSelection, can('records:export'), async ({ actor, params, body, request, reply }) =>
      sendMany({ actor, reply, address: request.ip }, params.collection, body),
    ),
    route(
      api.zipByForm,
      canByAddress('records:export', archiveAsker(needs)),
      async ({ actor, params, body, request, reply }) =>
        sendMany({ actor, reply, address: request.ip }, params.collection, await readForm(body)),
    ),
    ...addressRoutes(needs),
  ]
}

/** Where archives are fetched by a browser itself. What cannot be sent is refused here, where a page can tell why. */
function addressRoutes(needs: ZipNeeds): readonly Route[] {
  const tell = (actor: Actor, { entries }: Zip, path: string, more = '') => ({
    url: archiveAddress(needs.keys, needs.clock(), actor, path) + more,
    files: entries.length,
    bytes: zipBytes(entries),
  })
  return [
    route(api.archiveOfRecord, can('records:read'), async ({ actor, params, query: { field } }) => {
      const path = pathOf(api.zipRecord.path, params)
      const zip = await gatherOfRecord(needs, actor, params, field)
      return tell(actor, zip, path, field === undefined ? '' : `&field=${encodeURIComponent(field)}`)
    }),
    route(api.archiveOfSelection, can('records:export'), async ({ actor, params, body }) =>
      tell(actor, await gatherOfRecords(needs, actor, params.collection, body), pathOf(api.zipByForm.path, params)),
    ),
  ]
}

const pathOf = (path: string, params: { readonly [name: string]: string }): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** What a browser sent by itself: one part of a form, with JSON in it. */
async function readForm(body: Readable): Promise<ZipQuery> {
  const form = new URLSearchParams(await readText(body, FORM_MAX_BYTES))
  const asked = await Promise.resolve(form.get('asked') ?? '')
    .then((text): unknown => JSON.parse(text))
    .then(
      (json) => json,
      () => undefined,
    )
  return parsePart('body', api.zipForm, asked)
}

/** Ends when the reader has it all, or has gone. */
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
