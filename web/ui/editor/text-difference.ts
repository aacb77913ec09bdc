import { ChangeSet } from '@tiptap/pm/changeset'
import { type Node, Schema } from '@tiptap/pm/model'
import { Transform } from '@tiptap/pm/transform'
import { LOCALE } from '#web/i18n/locale.ts'

export type TextPart = { readonly is: 'same' | 'added' | 'removed'; readonly text: string }

const schema = new Schema({ nodes: { doc: { content: 'text*' }, text: {} } })

/** A document in which every word is a single character, so that words are compared as a whole. */
const documentOf = (words: string): Node => schema.node('doc', null, words === '' ? [] : [schema.text(words)])

const segmenter = new Intl.Segmenter(LOCALE, { granularity: 'word' })

/** Surrogates don't stand for themselves. */
const SURROGATES = { first: 0xd800, count: 0x800 }
const MAX_WORDS = 0x10000 - SURROGATES.count - 1

function createDictionary() {
  const codes = new Map<string, number>()
  const words: string[] = ['']
  const codeOf = (word: string): number => {
    const code = codes.get(word) ?? words.push(word) - 1
    codes.set(word, code)
    return code
  }
  const charOf = (code: number): string => String.fromCharCode(code < SURROGATES.first ? code : code + SURROGATES.count)
  const wordOf = (char: string): string => {
    const code = char.charCodeAt(0)
    return words[code < SURROGATES.first ? code : code - SURROGATES.count] ?? ''
  }
  return {
    encode: (text: string): string =>
      Array.from(segmenter.segment(text), ({ segment }) => charOf(codeOf(segment))).join(''),
    decode: (encoded: string): string => encoded.split('').map(wordOf).join(''),
    isFull: () => words.length > MAX_WORDS,
  }
}

/** Compares two texts word by word. */
export function compareTexts(before: string, after: string): readonly TextPart[] {
  const dictionary = createDictionary()
  const [old, now] = [dictionary.encode(before), dictionary.encode(after)]
  const parts: TextPart[] = []
  const add = (is: TextPart['is'], words: string): void => {
    if (words !== '') parts.push({ is, text: dictionary.decode(words) })
  }
  if (dictionary.isFull()) return [{ is: 'removed', text: before } as const, { is: 'added', text: after } as const]
  const [start, end] = [documentOf(old), documentOf(now)]
  const { mapping } = new Transform(start).replaceWith(0, start.content.size, end.content)
  let at = 0
  for (const { fromA, toA, fromB, toB } of ChangeSet.create(start).addSteps(end, mapping.maps, null).changes) {
    add('same', now.slice(at, fromB))
    add('removed', old.slice(fromA, toA))
    add('added', now.slice(fromB, toB))
    at = toB
  }
  add('same', now.slice(at))
  return parts
}

/** Characters of unchanged text shown next to a change, and of a changed part. */
const CONTEXT = 60
const MAX_CHANGED = 2000

/** Shortens long unchanged parts to what surrounds the changes, and very long changed parts. */
export const shortenParts = (parts: readonly TextPart[]): readonly TextPart[] =>
  parts.map((part, at) => {
    const { is, text } = part
    if (is !== 'same') return text.length <= MAX_CHANGED ? part : { is, text: `${text.slice(0, MAX_CHANGED)} …` }
    if (text.length <= CONTEXT * 2) return part
    const start = at === 0 ? '' : text.slice(0, CONTEXT)
    const end = at === parts.length - 1 ? '' : text.slice(-CONTEXT)
    return { is, text: `${start} … ${end}` }
  })
