/** What a code in a letter is for. */
export type CodePurpose = 'invitation' | 'reset'

/** Random bytes of a code: 256 bits. */
export const SINGLE_USE_CODE_BYTES = 32

const HOUR_MS = 60 * 60 * 1000

/** How long a code works: an invitation may lie over a weekend's day, a reset is asked for by somebody who waits for it. */
const CODE_LIFETIME_MS = { invitation: 48 * HOUR_MS, reset: HOUR_MS } as const satisfies {
  readonly [Purpose in CodePurpose]: number
}

/** Until when a code made now works. */
export const codeExpiry = (purpose: CodePurpose, now: Date): Date => new Date(now.getTime() + CODE_LIFETIME_MS[purpose])

const CODE_FORMAT = /^[\w-]{43}$/

/** Whether a text has the form of a code at all; nothing else is worth looking up. */
export const isCodeForm = (text: string): boolean => CODE_FORMAT.test(text)
