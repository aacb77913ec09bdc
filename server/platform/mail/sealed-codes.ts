import { type KeyRing, seal, type SealedFor, unseal } from '#server/platform/crypto/key-ring.ts'

const PLAIN = /([?&]code=)([\w-]+)/g
const SEALED = /([?&]code=)~([\w-]+)~([\w-]+)/g
const EITHER = /([?&]code=)[\w~-]+/g

const sealedFor = (mailId: string): SealedFor => ({ purpose: 'mail-code', boundTo: `mail ${mailId}` })

/** The stored text of an email: the codes in its links are sealed, so that a copy of the database opens no account. */
export const sealCodes = ({ current }: KeyRing, mailId: string, text: string): string =>
  text.replaceAll(PLAIN, (_, before: string, code: string) => {
    return `${before}~${current.id}~${seal(current, sealedFor(mailId), code)}`
  })

/** The text to send; a code whose key is lost is left out. */
export const openCodes = (keys: KeyRing, mailId: string, text: string): string =>
  text.replaceAll(SEALED, (_, before: string, keyId: string, sealed: string) => {
    const key = keys.findForCipher(keyId)
    return `${before}${key === undefined ? '…' : unseal(key, sealedFor(mailId), sealed)}`
  })

/** The text without codes, kept after sending, so that old emails open nothing. */
export const withoutCodes = (text: string): string => text.replaceAll(EITHER, '$1…')
