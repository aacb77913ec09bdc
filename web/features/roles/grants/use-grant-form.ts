import { useState } from 'react'
import type { PolicyBody } from '#api/roles.ts'
import { OWNER } from '#domain/access/policy.ts'
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
  describePlace,
  EVERY_COLLECTION,
  type GrantPlace,
  policyFor,
  type Source,
  type Subject,
} from '#web/features/roles/matrix/matrix.ts'
import { useKnownCollections } from './use-grant-labels.ts'
import { useSaveGrants } from './use-save-grants.ts'

export type GrantFormProps = {
  readonly subject: Subject
  readonly place: GrantPlace
  readonly collection: TypedCollection
  /** The grant being edited; undefined when adding one. */
  readonly source: Source | undefined
  readonly allPolicies: readonly PolicyBody[]
  /** Set if the user selected an option in the cell's menu. */
  readonly initial?: Partial<GrantDraft> | undefined
  readonly onClose: () => void
}

export function useGrantForm(props: GrantFormProps) {
  const { subject, place, collection, source } = props
  const [draft, setDraft] = useState<GrantDraft>(() => ({ ...draftOf(source?.grant, collection), ...props.initial }))
  const [isTouched, setTouched] = useState(props.initial !== undefined)
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
    /** The subject's grants before the change, and after it if the draft is complete. */
    grantsNow: subject.policies.flatMap(({ grants }) => grants.map(inputOf)),
    grantsThen: isTouched && isWhole ? [...others, ...grantsOf(draft, isHere)] : [],
    changeWhere: (where: GrantDraft['where'], isComplete: boolean) => {
      change({ where })
      setConditionWhole(isComplete)
    },
    /** Resets the draft, because a condition for one collection may be invalid for the others. */
    changeScope: (isForOne: boolean) => {
      setHere(isForOne)
      setDraft(draftOf(source?.grant, collection))
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
 * Whether the change applies to one collection or to all. Only owners can split a grant, because that requires access
 * to all collections.
 */
function useScope({ source, place }: GrantFormProps) {
  const [isForOne, setHere] = useState(true)
  const maySetApart = useUser()?.roles.some(({ id }) => id === OWNER) ?? false
  const isInherited = source?.grant.collection === null && place.collection !== null
  return { isInherited, maySetApart, isHere: !isInherited || (maySetApart && isForOne), setHere }
}

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
