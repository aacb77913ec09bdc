import { useNavigate } from '@tanstack/react-router'
import { usePageTitle } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type ListQuery, printChangedParams, queryToSave } from '#web/features/list-toolbar/url/list-query-params.ts'
import { DEFAULT_LIST_SETTINGS, type ListSettings, settingsToSave } from '#web/views/listing/list-settings.ts'

import { NO_VIEW } from '#web/features/saved-views/use-views.ts'
import { MissingPartsNotice, ViewsBar } from '#web/features/saved-views/views-bar.tsx'
import { EmptyState } from '#web/ui/feedback/notice.tsx'
import { IconEyeOff } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import type { ActiveView } from './view-gate.tsx'

type ListViewsProps = {
  readonly collection: TypedCollection
  readonly inForce: ActiveView
  readonly query: ListQuery
  readonly arranged: ListArrangement
}

/** The list's layout and whether it differs from the active view. */
type ListArrangement = { readonly look: ListSettings; readonly isChanged: boolean; readonly reset: () => void }

export function ListViews({ collection, inForce, query, arranged }: ListViewsProps) {
  const { views, view, base } = inForce
  const open = useOpenView(collection, inForce)
  const isChanged =
    (view !== undefined && arranged.isChanged) || Object.keys(printChangedParams(query, base)).length > 0
  const content = { ...queryToSave(query), ...settingsToSave(collection, arranged.look) }
  const resetLook = () => {
    // Without a view, the layout belongs to this browser and stays.
    if (view) arranged.reset()
  }
  return (
    <>
      <ViewsBar
        collection={collection}
        views={views}
        view={view}
        areComing={inForce.areComing}
        isPlain={view === undefined && !inForce.isGone}
        isChanged={isChanged}
        content={content}
        onOpen={(next) => open(next)}
        onReset={() => {
          resetLook()
          open(view?.id ?? null)
        }}
        onSaved={(saved, isNew) => {
          resetLook()
          open(saved.id, !isNew)
        }}
      />
      <MissingPartsNotice collection={collection} view={view} content={content} />
    </>
  )
}

function useOpenView({ name: collection }: TypedCollection, { views }: Pick<ActiveView, 'views'>) {
  const navigate = useNavigate()
  const plain = views.some(({ isDefault }) => isDefault) ? { view: NO_VIEW } : {}
  return (view: string | null, replace = false) =>
    void navigate({
      to: '/collections/$collection',
      params: { collection },
      search: view === null ? plain : { view },
      replace,
    })
}

/** Shown if the active view is hidden from the user. */
export function HiddenViewNotice({ collection, inForce }: Pick<ListViewsProps, 'collection' | 'inForce'>) {
  usePageTitle(collection.label)
  const { view } = inForce
  const open = useOpenView(collection, inForce)
  const text = view
    ? t('This view uses a filter you don’t have access to, so no records are shown. It was created by {name}.', {
        name: view.owner.name,
      })
    : t('This view was deleted, or is no longer shared with you.')
  return (
    <div className="records-page">
      <header className="records-head">
        <h1>{collection.label}</h1>
      </header>
      <ListViews collection={collection} inForce={inForce} query={inForce.base} arranged={DEFAULT_ARRANGEMENT} />
      <EmptyState icon={IconEyeOff} text={text} action={{ label: t('Show all records'), onClick: () => open(null) }} />
    </div>
  )
}

const DEFAULT_ARRANGEMENT: ListArrangement = { look: DEFAULT_LIST_SETTINGS, isChanged: false, reset: () => undefined }
