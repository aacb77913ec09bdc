import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { tusSender } from '#tests/support/files/tus-sender.ts'
import { type Client, clientAt, demand, signIn } from '#tests/attack/workload/client.ts'
import { OWNER } from '#tests/attack/environments.ts'
import type { TrialRun } from '#tests/attack/trial.ts'

const ROUNDS = { long: 20, short: 3 }

const CASES = '/api/collections/cases'

/** Changes made through one process must be visible to the very next request in another. */
type Crossing = {
  readonly number: number
  /** The owner's clients for the current process and the two after it, sharing one sign-in. */
  readonly here: Client
  readonly there: Client
  readonly beyond: Client
  readonly token: string
  /** Records a finding if the two values differ. */
  readonly must: (what: string, found: unknown, wanted: unknown) => void
}

/** Changes something through each process and reads it through the next; returns findings. */
export async function checkAcrossInstances(
  urls: readonly string[],
  { isLong }: Pick<TrialRun, 'isLong'>,
): Promise<readonly string[]> {
  const { token } = await signIn(clientAt(urls[0] ?? ''), OWNER.email, OWNER.password)
  const broken: string[] = []
  const must: Crossing['must'] = (what, found, wanted) => {
    if (isDeepStrictEqual(found, wanted)) return
    broken.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }
  const rounds = isLong ? ROUNDS.long : ROUNDS.short
  for (let number = 0; number < rounds; number += 1) {
    const turn = (step: number): Client => clientAt(urls[(number + step) % urls.length] ?? '', token)
    const crossing: Crossing = { number, here: turn(0), there: turn(1), beyond: turn(2), token, must }
    await sessionsAgree(crossing)
    await tokensAgree(crossing)
    await definitionsAgree(crossing)
    await chunksMeet(crossing)
    await totalFollows(crossing)
  }
  return broken.slice(0, 20)
}

/** Signs in at one process, refreshes at another and signs out at a third: the session must end in all of them. */
async function sessionsAgree({ here, there, beyond, must }: Crossing): Promise<void> {
  const first = await signIn(here, OWNER.email, OWNER.password)
  const renewed = demand(await there.ask('POST', '/api/auth/refresh', { refresh_token: first.refresh_token }), 200).body
  const status = async (client: Client) => (await client.as(renewed.token).ask('GET', '/api/auth/user')).status
  must('a session refreshed at another process is valid', await status(beyond), 200)
  demand(await beyond.as(renewed.token).ask('POST', '/api/auth/logout'), 204)
  for (const client of [here, there, beyond]) must('an ended session is valid', await status(client), 401)
  const again = await here.ask('POST', '/api/auth/refresh', { refresh_token: renewed.refresh_token })
  must('an ended session is refreshed', again.status, 401)
}

async function tokensAgree({ here, there, must }: Crossing): Promise<void> {
  const made = demand(await here.ask('POST', '/api/tokens', { name: 'Across', scopes: ['records:read'] }), 201).body
  const status = async () => (await there.as(made.token).ask('GET', `${CASES}/records?perPage=1`)).status
  must('a token created at another process is valid', await status(), 200)
  demand(await here.ask('DELETE', `/api/tokens/${made.id}`), 204)
  must('a revoked token is valid', await status(), 401)
}

/** Creates, fills, reads, renames and deletes a field, each through another process. */
async function definitionsAgree({ number, here, there, beyond, must }: Crossing): Promise<void> {
  const [name, title] = [`across_${number}`, `Across ${number}`]
  const listBy = async ({ ask }: Client, field: string) => {
    const { status, body } = await ask('GET', `${CASES}/records?filter=${encodeURIComponent(`${field} = 7`)}`)
    return [status, body.items?.length]
  }
  const create = async ({ ask }: Client, field: string, which: string) =>
    (await ask('POST', `${CASES}/records`, { values: { title: `${title} ${which}`, [field]: 7 } })).status
  demand(await here.ask('POST', `${CASES}/fields`, { name, label: name, kind: 'number' }), 201)
  must('a filter by a new field works', await listBy(there, name), [200, 0])
  must('a record with a new field is created', await create(beyond, name, 'first'), 201)
  must('a filter by a new value works', await listBy(here, name), [200, 1])
  demand(await there.ask('PATCH', `${CASES}/fields/${name}`, { name: `${name}_now` }), 200)
  must('a filter by a renamed field works', await listBy(beyond, `${name}_now`), [200, 1])
  must('a filter by the old name of a field works', (await listBy(here, name))[0], 400)
  demand(await beyond.ask('DELETE', `${CASES}/fields/${name}_now`), 200)
  must('a filter by a deleted field works', (await listBy(here, `${name}_now`))[0], 400)
  must('a record with a deleted field is created', await create(there, `${name}_now`, 'second'), 422)
  await clear(here, title)
}

/** Deletes the records that a round created. */
async function clear({ ask }: Client, title: string): Promise<void> {
  const filter = `title ^= "${title} "`
  demand(await ask('POST', `${CASES}/records/bulk`, { where: { filter }, delete: true }), 200)
}

/** Sends the chunks of one file to alternating processes; each reports the offset, and all return the file. */
async function chunksMeet({ number, here, there, beyond, token, must }: Crossing): Promise<void> {
  const clients = [here, there, beyond]
  const bytes = randomBytes(300_000)
  const senders = clients.map(({ url }) => tusSender(url, { token }))
  const id = (await senders[0]?.begin({ collection: 'cases', field: 'files' }, bytes.length)) ?? ''
  for (let at = 0; at < 6; at += 1) {
    const [sender, observer] = [senders[(at + 1) % 3], senders[(at + 2) % 3]]
    const offset = at * 50_000
    const chunk = bytes.subarray(offset, offset + 50_000)
    const filePond = { url: `${clients[(at + 1) % 3]?.url}/api/uploads?patch=${id}`, token, size: bytes.length }
    // Alternates between the two protocols.
    const sent = await (at % 2 === 0 ? sender?.patch(id, offset, chunk) : sendAsFilePond(filePond, offset, chunk))
    must('a chunk is accepted at another process', sent?.status, 204)
    const reported = (await observer?.head(id))?.headers.get('upload-offset')
    must('another process knows the offset', reported, String(offset + 50_000))
  }
  const wanted = createHash('sha256').update(bytes).digest('hex')
  for (const { read } of clients) {
    const found = await read(`/api/files/${id}`)
    must('a file of many chunks is complete', createHash('sha256').update(found.bytes).digest('hex'), wanted)
  }
  const title = `Across files ${number}`
  demand(await there.ask('POST', `${CASES}/records`, { values: { title: `${title} here`, files: [id] } }), 201)
  must('the record of a file is found', (await total(beyond, `title = "${title} here"`)) > 0, true)
  await clear(here, title)
}

const sendAsFilePond = (
  { url, token, size }: { readonly url: string; readonly token: string; readonly size: number },
  offset: number,
  chunk: Buffer,
): Promise<Response> =>
  fetch(url, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      'upload-length': String(size),
      'upload-name': 'file.bin',
    },
    body: Buffer.from(chunk),
  })

const total = async ({ ask }: Client, filter: string): Promise<number> =>
  demand(await ask('GET', `${CASES}/records?count=exact&perPage=1&filter=${encodeURIComponent(filter)}`), 200).body
    .total

/** A new record is included in a list's total in every process. */
async function totalFollows({ number, here, there, beyond, must }: Crossing): Promise<void> {
  const [title, filter] = ['Across totals', 'title ^= "Across totals"']
  const before = await Promise.all([here, there, beyond].map((client) => total(client, filter)))
  demand(await here.ask('POST', `${CASES}/records`, { values: { title: `${title} ${number}`, batch: 'across' } }), 201)
  const after = await Promise.all([here, there, beyond].map((client) => total(client, filter)))
  must(
    'the length of a list with one more record',
    [before, after],
    [[number, number, number], Array.from({ length: 3 }, () => number + 1)],
  )
}
