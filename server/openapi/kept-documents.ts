import { createHash } from 'node:crypto'
import type { Actor } from '#domain/access/actor.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'

/** A document that was printed, and the mark by which a program knows that it has it already. */
export type KeptDocument = { readonly text: string; readonly tag: string }

/** So many are kept: one for each set of rights that asked last. One of 200 collections of 500 fields takes 14 MB. */
const MOST_KEPT = 4

type Print = (actor: Actor, definitions: Definitions) => Promise<string>

/** Prints a document once for each state of the definitions and each set of rights. */
export function keptDocuments(print: Print): (actor: Actor, definitions: Definitions) => Promise<KeptDocument> {
  const kept = new Map<string, Promise<KeptDocument>>()

  const make = async (actor: Actor, definitions: Definitions): Promise<KeptDocument> => {
    const text = await print(actor, definitions)
    return { text, tag: `W/"${createHash('sha256').update(text).digest('base64url')}"` }
  }

  return (actor, definitions) => {
    const rights = actor.type === 'user' ? JSON.stringify(actor.grants) : actor.type
    const key = `${definitions.version} ${rights}`
    const made = kept.get(key) ?? make(actor, definitions)
    // What was asked for last stands last; the first is the one to go.
    kept.delete(key)
    kept.set(key, made)
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest)
    // What could not be made is made anew when it is asked for again.
    void made.then(undefined, () => kept.delete(key))
    return made
  }
}
