import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import type { PolicyBody } from '#api/roles.ts'
import { describeExtent } from '#domain/access/describe-grant.ts'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import type { GrantDraft } from '#web/features/roles/grants/grant-draft.ts'
import { GrantForm } from '#web/features/roles/grants/grant-form.tsx'
import {
  describeCell,
  actionOf,
  EVERY_COLLECTION,
  grantOf,
  type GrantPlace,
  describePlace,
  type Source,
  sourcesAt,
  sourcesOf,
  type Subject,
} from './matrix.ts'
import { useGrantLabels } from '#web/features/roles/grants/use-grant-labels.ts'

type CellPanelProps = {
  readonly subject: Subject
  /** Null while the panel is closed. */
  readonly place: GrantPlace | null
  /** Names a new policy must not reuse. */
  readonly allPolicies: readonly PolicyBody[]
  /** Set if the user selected an option in the cell's menu. */
  readonly initial?: Partial<GrantDraft> | undefined
  readonly onClose: () => void
}

export function CellPanel({ place, onClose, ...rest }: CellPanelProps) {
  const findCollection = useFindCollection()
  const collection = place?.collection ? findCollection(place.collection) : undefined
  const known = collection ?? EVERY_COLLECTION
  const title = place ? describePlace(place, known.label) : ''
  return (
    <Drawer opened={place !== null} onClose={onClose} title={title} size={640}>
      {place && (
        <PanelOf
          key={`${place.collection} ${place.permission}`}
          {...rest}
          place={place}
          collection={known}
          onClose={onClose}
        />
      )}
    </Drawer>
  )
}

type PanelProps = Omit<CellPanelProps, 'place'> & { readonly place: GrantPlace; readonly collection: TypedCollection }

function PanelOf({ subject, place, collection, allPolicies, initial, onClose }: PanelProps) {
  const sources = sourcesAt(sourcesOf(subject.policies), place.permission, place.collection)
  const [first] = sources
  const [chosen, setChosen] = useState<Source | 'new' | null>(sources.length > 1 ? null : (first ?? 'new'))
  const words = useGrantLabels()(place.collection)
  const { doing } = actionOf(place.permission)
  const where = place.collection === null ? t('all collections') : collection.label
  const now = describeCell(sources, place.collection, words)
  return (
    <div className="grant-panel">
      <p className="grant-now">
        <Say
          text="{who} can {doing}: {now}"
          values={{ who: subject.who, doing: doing(where), now: <strong>{now.text}</strong> }}
        />
      </p>
      {chosen === null ? (
        <SourceList sources={sources} place={place} onChoose={setChosen} />
      ) : (
        <GrantForm
          subject={subject}
          place={place}
          collection={collection}
          source={chosen === 'new' ? undefined : chosen}
          allPolicies={allPolicies}
          initial={initial}
          onClose={onClose}
        />
      )}
    </div>
  )
}

type SourceListProps = {
  readonly sources: readonly Source[]
  readonly place: GrantPlace
  readonly onChoose: (source: Source | 'new') => void
}

function SourceList({ sources, place, onChoose }: SourceListProps) {
  const words = useGrantLabels()(place.collection)
  return (
    <>
      <p className="grant-hint">{t('This permission combines several grants. Select one to edit.')}</p>
      <ul className="grant-sources" aria-label={t('Combined grants')}>
        {sources.map((source) => (
          <li key={`${source.policy.id} ${source.grant.id}`}>
            <button type="button" onClick={() => onChoose(source)}>
              <strong>{describeExtent(grantOf(source.grant), words)}</strong>
              <span>
                {source.grant.collection === null
                  ? t('from “{policy}”, for all collections', { policy: source.policy.name })
                  : t('from “{policy}”', { policy: source.policy.name })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div>
        <Button size="xs" leftSection={<IconPlus size={14} stroke={1.75} />} onClick={() => onChoose('new')}>
          {t('Grant more')}
        </Button>
      </div>
    </>
  )
}
