import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { ManualOrder } from '#domain/views/manual-order.ts'
import { type KeyRing, seal, type SealedFor, unseal } from '#server/platform/crypto/key-ring.ts'

/**
 * Encrypts the cursors of lists in a manual order for their reader. A record's key in that order can contain the ID of a
 * record that the reader can't see, and a forged key would reveal that record's place.
 */
export type CursorSeal = {
  readonly seal: (actor: Actor, cursor: string) => string
  /** Undefined if the cursor was modified or belongs to another user. */
  readonly unseal: (actor: Actor, sealed: string) => string | undefined
}

const sealedFor = (actor: Actor): SealedFor => ({ purpose: 'cursor', boundTo: `cursor ${userIdOf(actor) ?? ''}` })

export const createCursorSeal = (keys: KeyRing): CursorSeal => ({
  seal: (actor, cursor) => `${keys.current.id}.${seal(keys.current, sealedFor(actor), cursor)}`,
  unseal: (actor, sealed) => {
    const [keyId = '', text = ''] = sealed.split('.')
    const key = keys.findForSignature(keyId)
    try {
      return key && unseal(key, sealedFor(actor), text)
    } catch {
      return undefined
    }
  },
})

/** For lists that only this process reads. */
export const UNSEALED: CursorSeal = { seal: (_, cursor) => cursor, unseal: (_, cursor) => cursor }

/** How the cursors of a list are read and returned; an invalid one becomes an empty one, which is rejected. */
export const cursorsOf = (seal: CursorSeal, actor: Actor, order: ManualOrder | undefined) =>
  order === undefined ? AS_THEY_ARE : sealedCursors(seal, actor)

const AS_THEY_ARE = {
  read: (cursor: string | undefined) => cursor,
  print: (cursor: string | null) => cursor,
}

const sealedCursors = ({ seal, unseal: open }: CursorSeal, actor: Actor): typeof AS_THEY_ARE => ({
  read: (cursor) => (cursor === undefined ? undefined : (open(actor, cursor) ?? '')),
  print: (cursor) => (cursor === null ? null : seal(actor, cursor)),
})
