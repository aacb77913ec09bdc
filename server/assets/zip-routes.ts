import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import * as api from '#api/files.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import { can } from '#server/http/access.ts'
import { type Route, route } from '#server/http/route.ts'
import { openGate } from '#server/storage/gate.ts'
import { gatherOfRecord, gatherOfRecords, type Zip, type ZipNeeds, type ZipQuery } from './gather-zip.ts'
import { zipArchive, zipBytes } from './zip-archive.ts'

/** Archives sent at a time, and in line behind them: each reads one file after another for as long as its reader takes. */
const AT_A_TIME = 4
const IN_LINE = 20

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
    route(api.zipRecord, can('records:read'), async ({ actor, params, query, reply }) =>
      send({ reply, gather: () => gatherOfRecord(needs, actor, params, query.field) }),
    ),
    route(api.zipRecords, can('records:export'), async ({ actor, params, query, request, reply }) =>
      sendMany({ actor, reply, address: request.ip }, params.collection, query),
    ),
    route(api.zipSelection, can('records:export'), async ({ actor, params, body, request, reply }) =>
      sendMany({ actor, reply, address: request.ip }, params.collection, body),
    ),
  ]
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
