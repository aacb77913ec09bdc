import { isDeepStrictEqual } from 'node:util'
import { type Client, UnavailableError } from './client.ts'

/** An object on the server, and how to read its state for comparison. */
export type Thing = {
  readonly name: string
  readonly look: (client: Client) => Promise<unknown>
}

type Entry = {
  readonly thing: Thing
  /** Possible states: one after an acknowledged change, two (old and new) while a request is pending. */
  may: readonly unknown[]
  acknowledged: number
}

/** The state of an object that doesn't exist. */
export const NOTHING = 'nothing'

/** Each object with its possible states. */
type Picture = Map<Entry, readonly unknown[]>

/** Returned by a change that the server rejected for a valid reason. */
export const REJECTED = Symbol('refused')

/** Tracks what the server has acknowledged for each object, for comparison with its data. */
export type Ledger = ReturnType<typeof openLedger>

/** Number of objects read concurrently. */
const CONCURRENT_READS = 6

export function openLedger() {
  const entries = new Map<string, Entry>()
  const pictures = new Set<Picture>()
  const counts = { compared: 0, lost: 0 }
  const broken: string[] = []

  const entryOf = (thing: Thing, before: unknown): Entry => {
    const entry = entries.get(thing.name) ?? { thing, may: [before], acknowledged: 0 }
    entries.set(thing.name, entry)
    return entry
  }
  /** A state that becomes possible during a snapshot is also possible in that snapshot. */
  const note = (entry: Entry, { before }: Pick<Change, 'before'>): void => {
    for (const picture of pictures) {
      const so = picture.get(entry)
      if (so !== undefined || before !== undefined) picture.set(entry, [...(so ?? []), ...entry.may])
    }
  }
  const compare = async (client: Client, entry: Entry): Promise<void> => {
    const { thing, may } = entry
    const now = await thing.look(client)
    counts.compared += entry.acknowledged
    entry.acknowledged = 0
    if (!may.some((state) => isDeepStrictEqual(state, now))) {
      counts.lost += 1
      broken.push(`${thing.name} is ${short(now)} instead of ${may.map(short).join(' or ')}`)
    }
    entry.may = [now]
  }
  const compareAll = async (client: Client, chosen: readonly Entry[]): Promise<void> => {
    const waiting = [...chosen]
    const eye = async (): Promise<void> => {
      for (let entry = waiting.pop(); entry; entry = waiting.pop()) await compare(client, entry)
    }
    await Promise.all(Array.from({ length: CONCURRENT_READS }, eye))
  }

  return {
    counts,
    broken,
    /**
     * Changes an object. While the request is pending, and permanently if it is never answered, both the old and the
     * new state are possible. `before` is the initial state. A rejected change returns REFUSED and changes nothing.
     */
    change: async (thing: Thing, { before, after }: Change, act: () => Promise<unknown>): Promise<void> => {
      const entry = entryOf(thing, before)
      const untouched = entry.may
      entry.may = [...untouched, after]
      note(entry, { before })
      const unavailable = (error: unknown): never => {
        if (!(error instanceof UnavailableError) || !error.isUnchanged) throw error
        entry.may = untouched
        entry.acknowledged += 1
        throw error
      }
      entry.may = (await act().then(undefined, unavailable)) === REJECTED ? untouched : [after]
      entry.acknowledged += 1
    },
    /** Records the state of a previously unknown object. */
    keep: (thing: Thing, state: unknown): void => {
      const entry = entryOf(thing, state)
      entry.may = [state]
      entry.acknowledged += 1
    },
    knows: (name: string): boolean => entries.has(name),
    /**
     * Starts a snapshot, such as a backup. It may contain each object in any state that is possible between its start
     * and its end. Returns a function that compares a copy with the snapshot.
     */
    takePicture: () => {
      const picture: Picture = new Map([...entries.values()].map((entry) => [entry, [...entry.may]]))
      pictures.add(picture)
      return {
        end: () => pictures.delete(picture),
        /** Compares the given objects with a copy of the data. */
        compare: async (client: Client, comes: (thing: Thing) => boolean): Promise<void> => {
          const copied = [...picture].filter(([{ thing }]) => comes(thing))
          await compareAll(
            client,
            copied.map(([{ thing }, may]) => ({ thing, may, acknowledged: 1 })),
          )
        },
      }
    },
    /** The state of an object; undefined if several states are possible because a change wasn't answered. */
    stateOf: ({ name }: Pick<Thing, 'name'>): unknown => {
      const may = entries.get(name)?.may ?? []
      return may.length === 1 ? may[0] : undefined
    },
    /**
     * Compares objects with changes acknowledged since the last comparison, and objects with several possible states.
     */
    compareNew: (client: Client) =>
      compareAll(
        client,
        [...entries.values()].filter(({ acknowledged, may }) => acknowledged > 0 || may.length > 1),
      ),
    compareEverything: (client: Client) => compareAll(client, [...entries.values()]),
  }
}

type Change = { readonly before?: unknown; readonly after: unknown }

const short = (state: unknown): string => (JSON.stringify(state) ?? 'nothing').slice(0, 200)
