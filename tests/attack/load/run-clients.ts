/**
 * Runs many clients in a separate process, so that they don't slow down what they measure. Started by a message; sends
 * a message when all requests are done and the data has been compared.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom } from '#tests/access-oracle/generate/random.ts'
import { type Client, clientAt } from '#tests/attack/workload/client.ts'
import { openLedger } from '#tests/attack/workload/ledger.ts'
import { type Kind, memberOf, type SharedFiles, type Step } from './team-workload.ts'

export type ClientsTask = {
  readonly url: string
  /** Tokens of the users; each client acts as one of them. */
  readonly tokens: readonly string[]
  /** Token of the user who compares the data at the end. */
  readonly ownerToken: string
  readonly seconds: number
  readonly thinkMs: { readonly least: number; readonly most: number }
  readonly seed: number
}

/** Client statistics: the duration of each request in ms, rejections and errors. */
export type ClientsReport = {
  readonly took: { readonly [kind in Kind]?: readonly number[] }
  readonly seconds: number
  readonly refused: number
  readonly failures: readonly string[]
  readonly compared: number
  readonly lost: number
  readonly broken: readonly string[]
}

const THROTTLED_STATUSES = [429, 503]

type Seen = { readonly took: { [kind in Kind]?: number[] }; refused: number; readonly failures: string[] }

/** A client whose requests are timed. */
function timed(client: Client, kind: Kind, seen: Seen): Client {
  const time = async <Answer extends { readonly status: number }>(asking: Promise<Answer>): Promise<Answer> => {
    const startedAt = performance.now()
    const answer = await asking
    if (THROTTLED_STATUSES.includes(answer.status)) seen.refused += 1
    ;(seen.took[kind] ??= []).push(performance.now() - startedAt)
    return answer
  }
  return {
    ...client,
    ask: (method, path, body) => time(client.ask(method, path, body)),
    read: (path) => time(client.read(path)),
  }
}

const step = ({ kind, worker }: Step, client: Client, seen: Seen): Promise<void> =>
  worker(timed(client, kind, seen)).then(undefined, (error: unknown) => {
    seen.failures.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`)
  })

async function runClients(task: ClientsTask): Promise<ClientsReport> {
  const { url, tokens, ownerToken, seconds, thinkMs, seed } = task
  const ledger = openLedger()
  const sharedFiles: SharedFiles = { files: [] }
  const seen: Seen = { took: {}, refused: 0, failures: [] }
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000

  const work = async (token: string, at: number): Promise<void> => {
    const draw = randomFrom(seed + at)
    const think = () => pause(thinkMs.least + draw.below(thinkMs.most - thinkMs.least))
    const next = memberOf({ ledger, draw }, `member ${at}`, sharedFiles)
    const client = clientAt(url, token)
    for (await think(); performance.now() < endsAt; await think()) await step(next(), client, seen)
  }
  await Promise.all(tokens.map(work))
  const tookSeconds = (performance.now() - startedAt) / 1000
  await ledger.compareEverything(clientAt(url, ownerToken))
  return { ...seen, seconds: tookSeconds, ...ledger.counts, broken: ledger.broken }
}

process.once('message', (task) => {
  void runClients(task as ClientsTask).then((report) => process.send?.(report, () => process.disconnect?.()))
})
