import type { ExplanationBody } from '#api/roles.ts'
import { inOneList, isOwnAlone } from '#domain/access/grant-in-words.ts'
import type { Filter } from '#domain/query/filter.ts'

/** What an explanation says to people: the answer, and the sentence why. */
type SaidExplanation = { readonly answer: string; readonly why: string }

type Known = {
  /** What somebody is called: “Ana”, or “Whoever has the role Viewer alone”. */
  readonly who: string
  readonly conditionWords: (where: Filter) => string
}

const ANSWERS = { yes: 'Yes', some: 'In some records', no: 'No' } as const

/** An explanation in words. */
export function explanationWords({ may, because, where, by }: ExplanationBody, known: Known): SaidExplanation {
  const ways = inOneList(distinct(by.map(wayWords)))
  if (may === 'yes') return { answer: ANSWERS.yes, why: `${known.who} may by ${ways}.` }
  if (may === 'some') {
    const which = recordsWords(where, known)
    return { answer: ANSWERS.some, why: `${known.who} may in ${which}, by ${ways}.` }
  }
  return { answer: ANSWERS.no, why: refusalWords(because, ways, known) }
}

function refusalWords(because: ExplanationBody['because'], ways: string, { who }: Known): string {
  switch (because) {
    case 'condition':
      return `This record is none of those meant by ${ways}. Those are the only ways ${who} could come to it.`
    case 'field':
      return `${ways[0]?.toUpperCase()}${ways.slice(1)} allows it, but leaves this field out.`
    case 'token':
      return `${who} may by ${ways}, but the API token leaves it out.`
    case 'needs-read':
      return `${who} may not even see it, so nothing else can be done to it.`
    default:
      return `No role of ${who} allows it.`
  }
}

function wayWords({ role, policy }: ExplanationBody['by'][number]): string {
  return policy === null ? `the role ${role.name}, which may do everything` : `the role ${role.name} (“${policy.name}”)`
}

const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)]

function recordsWords(where: Filter | null, { conditionWords }: Known): string {
  if (where === null) return 'some records alone'
  return isOwnAlone(where) ? 'the records they have added themselves' : `the records in which ${conditionWords(where)}`
}
