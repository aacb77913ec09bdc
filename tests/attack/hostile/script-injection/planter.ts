import type { Answer, Client } from '#tests/attack/workload/client.ts'
import type { Marks } from './marks.ts'

type Requested = Parameters<Client['ask']>

export type Planter = {
  readonly client: Client
  readonly own: Client
  /** Unique to this round; used as part of names. */
  readonly round: string
  readonly count: number
  /**
   * Sends a text to a place and returns the stored object. A place is named as in the OpenAPI document if it is listed
   * there.
   */
  readonly send: (
    place: string,
    text: string,
    ask: (text: string) => Requested | Promise<Requested>,
  ) => Promise<readonly Kept[]>
  /** Sends each text of the round to one place and returns the stored objects. */
  readonly put: (
    place: string,
    ask: (text: string, nth: number) => Requested | Promise<Requested>,
  ) => Promise<readonly Kept[]>
}

/** A response with the stored object. */
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
    if (answer.status >= 500) tell(`${place} ${JSON.stringify(written)} got ${answer.status}`)
    return answer.status < 300 ? [answer.body ?? answer.text] : []
  }
  const put: Planter['put'] = async (place, ask) => {
    const kept: Kept[] = []
    for (const [nth, text] of texts.entries()) kept.push(...(await send(place, text, (written) => ask(written, nth))))
    return kept
  }
  return { client, own, round, count: texts.length, send, put }
}
