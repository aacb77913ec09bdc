import type { Answer, Client } from '#tests/attack/workload/client.ts'
import type { Marks } from './marks.ts'

/** What is asked to store a text. */
type Requested = Parameters<Client['ask']>

export type Planter = {
  readonly client: Client
  readonly own: Client
  /** Nothing of another round has it: part of names. */
  readonly round: string
  readonly count: number
  /** Sends a text to a place, named as the OpenAPI document has it where it has it; answers what was kept. */
  readonly send: (
    place: string,
    text: string,
    ask: (text: string) => Requested | Promise<Requested>,
  ) => Promise<readonly Kept[]>
  /** Sends each text of the round to one place; answers what was kept. */
  readonly put: (
    place: string,
    ask: (text: string, nth: number) => Requested | Promise<Requested>,
  ) => Promise<readonly Kept[]>
}

/** An answer to what was kept. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Kept = any

export type PlanterNeeds = {
  readonly client: Client
  readonly own: Client
  readonly marks: Marks
  readonly texts: readonly string[]
  readonly round: string
  readonly tell: (broken: string) => void
}

export function planterOf({ client, own, marks, texts, round, tell }: PlanterNeeds): Planter {
  const send: Planter['send'] = async (place, text, ask) => {
    const written = marks.write(place, text)
    const answer: Answer = await client.ask(...(await ask(written)))
    marks.settle(written, answer.status < 300)
    if (answer.status >= 500) tell(`${place} ${JSON.stringify(written)} was answered with ${answer.status}`)
    return answer.status < 300 ? [answer.body ?? answer.text] : []
  }
  const put: Planter['put'] = async (place, ask) => {
    const kept: Kept[] = []
    for (const [nth, text] of texts.entries()) kept.push(...(await send(place, text, (written) => ask(written, nth))))
    return kept
  }
  return { client, own, round, count: texts.length, send, put }
}
