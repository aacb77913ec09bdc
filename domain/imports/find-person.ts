import { isId } from '../fields/relation.ts'
import { foldText } from '../shared/fold-text.ts'
import type { UserId } from '../shared/ids.ts'

/** A user that a text may name. */
export type KnownPerson = {
  readonly id: UserId
  readonly name: string
  /** The email as `foldText` folds it. */
  readonly emailFold: string
  /** Whether the user can be selected; a shared name is ambiguous either way. */
  readonly isChoosable: boolean
}

/** The user a text refers to. */
export type FoundPerson = { readonly type: 'one'; readonly id: UserId } | { readonly type: 'none' | 'several' }

const NONE: FoundPerson = { type: 'none' }

const EMAIL_FORM = /\S@\S/

/** Whether a text contains an email address, such as `Ann <ann@example.org>`. */
export const hasEmail = (text: string): boolean => EMAIL_FORM.test(foldText(text))

/**
 * Resolves texts to users: by id, then by email, then by a unique display name. Users choose their display names, so a
 * text in the form of an id or with an email address is never taken as a name.
 */
export function createPersonReader(people: readonly KnownPerson[]): (text: string) => FoundPerson {
  const byId = new Map(people.map((person) => [person.id, person]))
  const byEmail = new Map(people.map((person) => [person.emailFold, person]))
  const byName = Map.groupBy(people, ({ name }) => foldText(name))
  return (text) => {
    const wanted = text.trim()
    if (isId(wanted)) return chosen(byId.get(wanted))
    if (hasEmail(wanted)) return chosen(byEmail.get(foldText(wanted)))
    const [only, ...others] = byName.get(foldText(wanted)) ?? []
    return others.length > 0 ? { type: 'several' } : chosen(only)
  }
}

const chosen = (person: KnownPerson | undefined): FoundPerson =>
  person?.isChoosable === true ? { type: 'one', id: person.id } : NONE
