import { Button, Radio, Switch } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { PolicyBody } from '#api/roles.ts'
import { inOneList } from '#domain/access/grant-in-words.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { FieldsChoice, RecordsChoice } from './grant-choices.tsx'
import {
  draftOf,
  type GrantDraft,
  isWholeDraft,
  saidOf,
  takesFields,
  takesPresets,
  withGrant,
  withGrantApart,
} from './grant-draft.ts'
import { EVERY_COLLECTION, type GrantPlace, placeWords, type Source, type Subject } from './matrix.ts'
import { PresetsChoice } from './presets-choice.tsx'
import { SaveFailure } from './save-failure.tsx'
import { useRoleNameOf } from './use-role-name-of.ts'
import { type GrantsWish, useSaveGrants } from './use-save-grant.ts'
import { useKnownCollections } from './use-words.ts'

type GrantFormProps = {
  readonly subject: Subject
  readonly place: GrantPlace
  readonly collection: KnownCollection
  /** What is changed; undefined: something is added. */
  readonly source: Source | undefined
  readonly allPolicies: readonly PolicyBody[]
  readonly onClose: () => void
}

/** One sentence about what somebody may: which records, which fields, what new ones start with. */
export function GrantForm(props: GrantFormProps) {
  const { place, collection, onClose } = props
  const form = useGrantForm(props)
  const { draft, change, isHere } = form
  const around = isHere ? collection : EVERY_COLLECTION
  const hasFields = draft.records !== 'none' && around.id !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.canSave) form.save()
  }
  return (
    <form onSubmit={submit} className="grant-form">
      {form.isInherited && <Scope label={collection.label} isHere={isHere} onChange={form.setHere} />}
      <RecordsChoice
        draft={draft}
        change={change}
        collection={around}
        permission={place.permission}
        onWhere={form.changeWhere}
      />
      {hasFields && takesFields(place.permission) && <FieldsChoice draft={draft} change={change} collection={around} />}
      {hasFields && takesPresets(place.permission) && (
        <PresetsChoice draft={draft} change={change} collection={around} />
      )}
      <Shared {...props} isAlone={form.isAlone} onAlone={form.setAlone} />
      <SaveFailure error={form.error} />
      <div className="grant-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" disabled={!form.canSave} loading={form.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

function useGrantForm({ subject, place, collection, source, allPolicies, onClose }: GrantFormProps) {
  const [draft, setDraft] = useState<GrantDraft>(() => draftOf(source?.grant))
  const [isTouched, setTouched] = useState(false)
  const [isConditionWhole, setConditionWhole] = useState(true)
  const [isHere, setHere] = useState(true)
  const [isAlone, setAlone] = useState(false)
  const collections = useKnownCollections()
  const { save, isPending, error, reset } = useSaveGrants(allPolicies, onClose)
  const isInherited = source?.grant.collection === null && place.collection !== null
  const change = (part: Partial<GrantDraft>) => {
    if (error !== null) reset()
    setTouched(true)
    setDraft((before) => ({ ...before, ...part }))
  }
  const store = () => {
    const policy = source?.policy ?? policyFor(subject)
    const said = saidOf(isHere ? draft : { ...draft, fieldChoice: 'all', presets: {} })
    const grants = policy?.grants ?? []
    const wish: GrantsWish = {
      policy,
      grants:
        isInherited && isHere && place.collection !== null
          ? withGrantApart(grants, source.grant, {
              collections: collections.map(({ id }) => id),
              apart: place.collection,
              said,
            })
          : withGrant(grants, source?.grant.id, place, said),
      role: subject.role,
      isAlone,
      done: `Saved: ${placeWords(place, isHere ? collection.label : EVERY_COLLECTION.label)}`,
    }
    save(wish)
  }
  return {
    draft,
    change,
    changeWhere: (where: GrantDraft['where'], isComplete: boolean) => {
      change({ where })
      setConditionWhole(isComplete)
    },
    canSave: isTouched && isWholeDraft(draft) && (draft.records !== 'some' || isConditionWhole) && !isPending,
    save: store,
    isPending,
    error,
    isInherited,
    isHere: isHere || !isInherited,
    setHere,
    isAlone,
    setAlone,
  }
}

/** Where something new is said: in what the role has to itself, else in a policy made for it. */
const policyFor = ({ role, policies }: Subject): PolicyBody | undefined =>
  role === undefined ? policies[0] : policies.find(({ roles }) => roles.length === 1)

type ScopeProps = {
  readonly label: string
  readonly isHere: boolean
  readonly onChange: (isHere: boolean) => void
}

/** What is said of every collection can be changed for all, or for one of them. */
function Scope({ label, isHere, onChange }: ScopeProps) {
  return (
    <fieldset className="grant-choice">
      <legend>This is said of every collection. Change it</legend>
      <div>
        <Radio
          name="scope"
          label={`For ${label} alone`}
          description="Every other collection keeps it. Collections that are made later start without it."
          checked={isHere}
          onChange={() => onChange(true)}
        />
        <Radio name="scope" label="For every collection" checked={!isHere} onChange={() => onChange(false)} />
      </div>
    </fieldset>
  )
}

type SharedProps = Pick<GrantFormProps, 'subject' | 'source'> & {
  readonly isAlone: boolean
  readonly onAlone: (isAlone: boolean) => void
}

/** Says who else is concerned, and offers to leave them out. */
function Shared({ subject: { role }, source, isAlone, onAlone }: SharedProps) {
  const nameOf = useRoleNameOf()
  const others = source?.policy.roles.filter((id) => id !== role?.id) ?? []
  if (role === undefined || source === undefined || others.length === 0) return null
  return (
    <div className="grant-part">
      <p className="grant-hint">
        “{source.policy.name}” is shared with {inOneList(others.map(nameOf))}: the change is for them, too.
      </p>
      <Switch
        label={`For ${role.name} alone`}
        checked={isAlone}
        onChange={({ currentTarget }) => onAlone(currentTarget.checked)}
      />
    </div>
  )
}
