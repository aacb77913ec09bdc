import { foldText } from '../shared/text.ts'
import { truncateFileName } from '#domain/uploads/truncate-file-name.ts'

/**
 * Longest name of a file or folder in an archive: paths stay below what Windows takes, and a name below the 255 bytes that
 * Linux takes, with room for a number.
 */
const LIMITS = { characters: 100, bytes: 240 }

/** Names that Windows keeps for devices, whatever ending they have. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A name that every system can unpack: no path, no sign that some system refuses, no dots or spaces at its ends. */
export function safeArchiveName(rawName: string, fallback: string): string {
  const safe = rawName
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const name = truncateFileName(safe, LIMITS) || fallback
  return DEVICES.test(name) ? `_${name}` : name
}

/** Gives out each name once: one that was given out before gets a number, in front of its ending. */
export function createUniqueNames(): (name: string) => string {
  const taken = new Map<string, number>()
  const uniqueName = (name: string): string => {
    // Some systems do not tell capitals and marks apart.
    const key = foldText(name)
    const count = taken.get(key)
    taken.set(key, (count ?? 0) + 1)
    return count === undefined ? name : uniqueName(withNumber(name, count + 1))
  }
  return uniqueName
}

function withNumber(name: string, number: number): string {
  const ending = endingOf(name)
  return `${name.slice(0, name.length - ending.length)} (${number})${ending}`
}

const endingOf = (name: string): string => /(?<=[^.])\.[^.\s]{1,20}$/.exec(name)?.[0] ?? ''
