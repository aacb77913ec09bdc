import { type Client, demand } from '#tests/attack/workload/client.ts'
import { type Operation, readReference } from '#tests/attack/hostile/operations.ts'
import { CASES } from '#tests/attack/hostile/fixtures.ts'
import { openRawConnection, type RawConnection } from '#tests/attack/hostile/raw-connection.ts'
import type { Marks } from './marks.ts'
import { putText, type TextPlace } from './writable-texts.ts'

export type Drawn = { readonly marks: Marks; readonly next: () => string }

/** IDs by path parameter name. */
export type Names = Readonly<Record<string, string>>

/** The sending user, and the IDs for path parameters. */
export type Sprayer = { readonly client: Client; readonly token: string; readonly names: Names }

/** Server errors, and the places that reject even valid values. */
export type Sprayed = { readonly blamed: readonly string[]; readonly untried: readonly string[] }

const NOT_SPRAYED = 'changePassword'

export async function namesIn({ ask }: Client): Promise<Names> {
  const first = async (path: string): Promise<string> => demand(await ask('GET', path), 200).body.items?.[0]?.id ?? 'x'
  const { id, fields } = demand(await ask('GET', CASES), 200).body
  return {
    collection: id,
    field: fields.find(({ kind }: { readonly kind: string }) => kind === 'long-text').id,
    record: await first(`${CASES}/records`),
    view: await first(`${CASES}/views`),
    role: await first('/api/roles'),
    policy: await first('/api/policies'),
    token: await first('/api/tokens'),
    user: await first('/api/users?search=viewer'),
  }
}

/**
 * Puts a text into every string of every body in the OpenAPI document, one at a time, so that new endpoints are covered
 * as well.
 */
export async function spray({ client, token, names }: Sprayer, { marks, next }: Drawn): Promise<Sprayed> {
  const { operations } = await readReference(client)
  const wire = openRawConnection(client.url)
  const blamed: string[] = []
  const untried: string[] = []
  const ask = sprayerAt(wire, token, names)
  for (const operation of operations.filter(({ id }) => id !== NOT_SPRAYED)) {
    for (const place of operation.isOfCollection ? [] : (operation.body?.texts ?? [])) {
      const where = [operation.id, ...place].join('.')
      const written = marks.write(where, next())
      const status = await ask(operation, place, written)
      marks.settle(written, status < 300)
      if (status >= 500) blamed.push(`${where} ${JSON.stringify(written)} got ${status}`)
      if (status >= 300 && (await ask(operation, place, 'text')) >= 300) untried.push(where)
    }
  }
  wire.close()
  return { blamed, untried }
}

/** Sends one body with a text in one place; returns the status, or 599 if there was no response. */
function sprayerAt(wire: RawConnection, token: string, names: Names) {
  let sent = 0
  return async ({ method, path, body }: Operation, place: TextPlace, text: string): Promise<number> => {
    sent += 1
    const heard = await wire.send({
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'x'),
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-forwarded-for': `10.7.${sent >> 8}.${sent & 255}`,
      },
      body: JSON.stringify(putText(body?.example, place, text)),
    })
    return typeof heard === 'string' ? 599 : heard.status
  }
}
