import { createContext, use } from 'react'
import { t } from '#web/i18n/t.ts'

/** Something that is noted about people, as conditions name it: `@me.region`. */
export type UserAttribute = { readonly name: string; readonly label: string }

/** What conditions mean around here: who reads them, and when what is typed counts. */
export type ConditionOptions = {
  /** What whoever asks is called; null where a condition means the same whoever reads it. */
  readonly me: string | null
  /** What a text may be compared with of that person. */
  readonly ownNotes: readonly UserAttribute[]
  /** Whether the condition belongs to a grant, which takes fewer operators. */
  readonly isOfGrant: boolean
  /** Whether what is typed counts with every key, or when the typing rests. */
  readonly countsAtOnce: boolean
  /** The word before the first line. */
  readonly lead: string
}

const ConditionContext = createContext<ConditionOptions>({
  me: t('Me'),
  ownNotes: [],
  isOfGrant: false,
  countsAtOnce: false,
  lead: t('Where'),
})

/** Sets it for the conditions inside. */
export const ConditionOptionsProvider = ConditionContext.Provider

/** What conditions mean here. */
export const useConditionOptions = (): ConditionOptions => use(ConditionContext)
