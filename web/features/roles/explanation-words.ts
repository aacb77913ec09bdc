import type { ExplanationBody } from '#api/roles.ts'
import { inOneList, isOwnAlone } from '#domain/access/grant-in-words.ts'
import type { Filter } from '#domain/query/filter.ts'

/** What an explanation says to people: the answer, and the sentence why. */
type SaidExplanation = { readonly answer: string; readonly why: string }

type Known = {
  /** What somebody is called: “Ana”, or “Whoever has the role Viewer alone”. */
  readonly who: string
  /** A role is asked about, and nobody in particular. */
  readonly isRole?: boolean
  readonly conditionWords: (where: Filter) => string
}

const ANSWERS = { yes: 'Yes', some: 'In some records', no: 'No' } as const

/** An explanation in words. */
export function explanationWords({ may, because, where, by }: ExplanationBody, known: Known): SaidExplanation {
  const ways = waysWords(by)
  if (may === 'yes') return { answer: ANSWERS.yes, why: `${ways} it.` }
  if (may === 'some') return { answer: ANSWERS.some, why: `${ways} it ${recordsWords(where, known)}.` }
  return { answer: ANSWERS.no, why: refusalWords({ because, by }, known) }
}

function refusalWords({ because, by }: Pick<ExplanationBody, 'because' | 'by'>, known: Known): string {
  const ways = waysWords(by)
  switch (because) {
    case 'condition':
      return `${ways} it only ${meantWords(by, known)}, and this record is not one of those.`
    case 'field':
      return `${ways} it, but ${by.length === 1 ? 'leaves' : 'leave'} this field out.`
    case 'token':
      return `${ways} it, but the API token leaves it out.`
    case 'needs-read':
      return `${known.who} may not even see it, so nothing else can be done to it.`
    default:
      return known.isRole ? `${known.who} does not allow it.` : `No role of ${known.who} allows it.`
  }
}

/** “The role Clerk (“Daily work”) allows”. */
function waysWords(by: ExplanationBody['by']): string {
  const ways = distinct(by.map(wayWords))
  const said = inOneList(ways)
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)} ${ways.length === 1 ? 'allows' : 'allow'}`
}

function wayWords({ role, policy }: ExplanationBody['by'][number]): string {
  return policy === null
    ? `the role ${role.name}, which may do everything,`
    : `the role ${role.name} (“${policy.name}”)`
}

const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)]

/** Which records the ways that come nearest are about; several are not told apart. */
function meantWords(by: ExplanationBody['by'], known: Known): string {
  const [only] = by
  return by.length === 1 && only?.where ? recordsWords(only.where, known) : 'in some records'
}

function recordsWords(where: Filter | null, { conditionWords }: Known): string {
  if (where === null) return 'in some records only'
  return isOwnAlone(where) ? 'for records they have added themselves' : `where ${conditionWords(where)}`
}
