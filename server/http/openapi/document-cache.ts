import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Actor } from '#domain/access/actor.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'

/** A document that was printed, packed by gzip, and the mark by which a program knows that it has it already. */
export type CachedDocument = { readonly packed: Buffer; readonly tag: string }

/** So many are kept: one for each set of rights that asked last. One of 200 collections of 500 fields takes 1 MB. */
const MAX_CACHED = 4

type Print = (actor: Actor, definitions: Definitions) => AsyncIterable<string>

/** Packs a text as it comes, so that it is never there as a whole: it may have many megabytes. */
async function pack(pieces: AsyncIterable<string>): Promise<CachedDocument> {
  const hash = createHash('sha256')
  const gzip = createGzip()
  const [packed] = await Promise.all([
    buffer(gzip),
    pipeline(
      pieces,
      async function* (read) {
        for await (const piece of read) {
          hash.update(piece)
          yield piece
        }
      },
      gzip,
    ),
  ])
  return { packed, tag: `W/"${hash.digest('base64url')}"` }
}

/** Prints a document once for each state of the definitions and each set of rights. */
export function createDocumentCache(print: Print): (actor: Actor, definitions: Definitions) => Promise<CachedDocument> {
  const kept = new Map<string, Promise<CachedDocument>>()

  return (actor, definitions) => {
    const rights = actor.type === 'user' ? JSON.stringify(actor.grants) : actor.type
    const key = `${definitions.version} ${rights}`
    const made = kept.get(key) ?? pack(print(actor, definitions))
    // What was asked for last stands last; the first is the one to go.
    kept.delete(key)
    kept.set(key, made)
    for (const oldest of [...kept.keys()].slice(0, -MAX_CACHED)) kept.delete(oldest)
    // What could not be made is made anew when it is asked for again.
    void made.then(undefined, () => kept.delete(key))
    return made
  }
}
