import type { ExplanationBody } from '#api/roles.ts'
import { isOwnRecordsOnly } from '#domain/access/describe-grant.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { builtInText } from '#web/i18n/built-in-roles.ts'
import { listText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'

type ExplanationText = { readonly answer: string; readonly why: string }

type Known = {
  /** Such as “Ana” or “A user with only the role Viewer”. */
  readonly who: string
  /** Whether the question is about a role. */
  readonly isRole?: boolean
  readonly conditionWords: (where: Filter) => string
}

const ANSWERS = { yes: t('Yes'), some: t('In some records'), no: t('No') } as const

export function describeExplanation({ may, because, where, by }: ExplanationBody, known: Known): ExplanationText {
  const ways = describeGrants(by)
  const n = grantsOf(by)
  if (may === 'yes') return { answer: ANSWERS.yes, why: plural(n, '{ways} allows it.', '{ways} allow it.', { ways }) }
  if (may === 'some')
    return {
      answer: ANSWERS.some,
      why: plural(n, '{ways} allows it {where}.', '{ways} allow it {where}.', {
        ways,
        where: recordsWords(where, known),
      }),
    }
  return { answer: ANSWERS.no, why: describeDenial({ because, by }, known) }
}

function describeDenial({ because, by }: Pick<ExplanationBody, 'because' | 'by'>, known: Known): string {
  const ways = describeGrants(by)
  const n = grantsOf(by)
  switch (because) {
    case 'condition':
      return plural(
        n,
        '{ways} allows it only {where}, and this record doesn’t match.',
        '{ways} allow it only {where}, and this record doesn’t match.',
        { ways, where: describeRecords(by, known) },
      )
    case 'field':
      return plural(n, '{ways} allows it, but not for this field.', '{ways} allow it, but not for this field.', {
        ways,
      })
    case 'token':
      return plural(n, '{ways} allows it, but the API token doesn’t.', '{ways} allow it, but the API token doesn’t.', {
        ways,
      })
    case 'needs-read':
      return t('{who} can’t view it, so no other action is possible.', { who: known.who })
    default:
      return known.isRole
        ? t('{who} doesn’t allow it.', { who: known.who })
        : t('None of {who}’s roles grant this.', { who: known.who })
  }
}

function describeGrants(by: ExplanationBody['by']): string {
  const said = listText(distinct(by.map(describeGrant)))
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}`
}

function describeGrant({ role, policy }: ExplanationBody['by'][number]): string {
  const { name } = builtInText(role)
  return policy === null
    ? t('the role {name}, which has full access,', { name })
    : t('the role {role} (“{policy}”)', { role: name, policy: builtInText(policy).name })
}

const grantsOf = (by: ExplanationBody['by']): number => distinct(by.map(describeGrant)).length

const distinct = (words: readonly string[]): readonly string[] => [...new Set(words)]

/** Describes the records to which access is granted; several grants are summarized. */
function describeRecords(by: ExplanationBody['by'], known: Known): string {
  const [only] = by
  return by.length === 1 && only?.where ? recordsWords(only.where, known) : t('in some records')
}

function recordsWords(where: Filter | null, { conditionWords }: Known): string {
  if (where === null) return t('in some records only')
  return isOwnRecordsOnly(where)
    ? t('for records they created')
    : t('where {condition}', { condition: conditionWords(where) })
}
