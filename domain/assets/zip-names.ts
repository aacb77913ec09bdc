import { foldText } from '../shared/text.ts'
import { truncateFileName } from '#domain/uploads/truncate-file-name.ts'

/**
 * Keeps paths below the Windows path limit and names below 255 bytes (the Linux limit), with room for a numeric suffix.
 */
const LIMITS = { characters: 100, bytes: 240 }

/** Device names reserved on Windows, with or without an extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** File name valid on every operating system: no path, reserved characters, or leading or trailing dots and spaces. */
export function safeArchiveName(rawName: string, fallback: string): string {
  const safe = rawName
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const name = truncateFileName(safe, LIMITS) || fallback
  return DEVICES.test(name) ? `_${name}` : name
}

/** Appends a number to repeated names, before the extension. */
export function createUniqueNames(): (name: string) => string {
  const taken = new Map<string, number>()
  const uniqueName = (name: string): string => {
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
