import { useState } from 'react'
import type { PolicyBody } from '#api/roles.ts'
import { OWNER } from '#domain/access/role.ts'
import { useUser } from '#web/data/session/use-session.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import {
  draftOf,
  type GrantDraft,
  inputOf,
  isWholeDraft,
  sentenceInputOf,
  withGrant,
  withGrantApart,
} from './grant-draft.ts'
import {
  EVERY_COLLECTION,
  type GrantPlace,
  describePlace,
  type Source,
  type Subject,
} from '#web/features/roles/matrix/matrix.ts'
import { useSaveGrants } from './use-save-grants.ts'
import { useKnownCollections } from './use-grant-labels.ts'

/** What the form for one grant is told. */
export type GrantFormProps = {
  readonly subject: Subject
  readonly place: GrantPlace
  readonly collection: TypedCollection
  /** What is changed; undefined: something is added. */
  readonly source: Source | undefined
  readonly allPolicies: readonly PolicyBody[]
  readonly onClose: () => void
}

/** Where something new is said: in what the role has to itself, else in a policy made for it. */
export const policyFor = ({ role, policies }: Subject): PolicyBody | undefined =>
  role === undefined ? policies[0] : policies.find(({ roles }) => roles.length === 1)

/** The draft of one grant, and what becomes of it. */
export function useGrantForm(props: GrantFormProps) {
  const { subject, place, collection, source } = props
  const [draft, setDraft] = useState<GrantDraft>(() => draftOf(source?.grant))
  const [isTouched, setTouched] = useState(false)
  const [isConditionWhole, setConditionWhole] = useState(true)
  const [isAlone, setAlone] = useState(false)
  const { isInherited, maySetApart, isHere, setHere } = useScope(props)
  const { grantsOf } = useGrantsToSave(props)
  const { save, isPending, error, reset } = useSaveGrants(props.allPolicies, props.onClose)
  const change = (part: Partial<GrantDraft>) => {
    if (error !== null) reset()
    setTouched(true)
    setDraft((before) => ({ ...before, ...part }))
  }
  const isWhole = isWholeDraft(draft) && (draft.records !== 'some' || isConditionWhole)
  const policy = source?.policy ?? policyFor(subject)
  const others = subject.policies.filter(({ id }) => id !== policy?.id).flatMap(({ grants }) => grants.map(inputOf))
  return {
    draft,
    change,
    /** All grants of the subject now, and once the draft is saved. */
    grantsNow: subject.policies.flatMap(({ grants }) => grants.map(inputOf)),
    grantsThen: isTouched && isWhole ? [...others, ...grantsOf(draft, isHere)] : [],
    changeWhere: (where: GrantDraft['where'], isComplete: boolean) => {
      change({ where })
      setConditionWhole(isComplete)
    },
    /** What was said of one collection may make no sense for all of them. */
    changeScope: (isForOne: boolean) => {
      setHere(isForOne)
      setDraft(draftOf(source?.grant))
      setTouched(false)
    },
    canSave: isTouched && isWhole && !isPending,
    save: () =>
      save({
        policy,
        grants: grantsOf(draft, isHere),
        role: subject.role,
        isAlone,
        done: t('Saved: {placeWords}', {
          placeWords: describePlace(place, isHere ? collection.label : EVERY_COLLECTION.label),
        }),
      }),
    isPending,
    error,
    isInherited,
    maySetApart,
    isHere,
    isAlone,
    setAlone,
  }
}

/**
 * Whether one collection is meant, or every one. Only whoever sees all collections can set one apart: what is said of
 * every collection is said anew for each of the others then, and none may be forgotten.
 */
function useScope({ source, place }: GrantFormProps) {
  const [isForOne, setHere] = useState(true)
  const maySetApart = useUser()?.roles.some(({ id }) => id === OWNER) ?? false
  const isInherited = source?.grant.collection === null && place.collection !== null
  return { isInherited, maySetApart, isHere: !isInherited || (maySetApart && isForOne), setHere }
}

/** Everything the policy says once the draft is part of it. */
function useGrantsToSave({ subject, place, source }: GrantFormProps) {
  const collections = useKnownCollections()
  const grants = (source?.policy ?? policyFor(subject))?.grants ?? []
  const grantsOf = (draft: GrantDraft, isHere: boolean) => {
    const { collection } = place
    const isApart = isHere && collection !== null && source?.grant.collection === null
    if (!isApart) {
      return withGrant(
        grants,
        source?.grant.id,
        place,
        sentenceInputOf(isHere ? draft : { ...draft, fieldChoice: 'all' }),
      )
    }
    const ids = collections.map(({ id }) => id)
    return withGrantApart(grants, source.grant, { collections: ids, apart: collection, said: sentenceInputOf(draft) })
  }
  return { grantsOf }
}
