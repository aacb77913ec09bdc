import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { collectionPath, useFollow } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { CollectionForm, DeleteCollection } from '#web/features/schema/collection/collection-settings.tsx'
import { useCollection } from '#web/features/schema/collection/collection-queries.ts'
import { LayoutSection } from '#web/features/schema/record-layout/layout-section.tsx'
import { FieldList } from '#web/features/schema/fields/field-list.tsx'
import { AppearanceForm } from '#web/features/schema/collection/appearance-form.tsx'
import { RulesSection } from '#web/features/schema/rules/rules-section.tsx'
import { IndexesSection } from '#web/features/schema/collection/indexes-section.tsx'
import { WorkflowSection } from '#web/features/schema/workflow/workflow-section.tsx'
import { CollectionAccessSection } from '#web/features/roles/matrix/collection-access-section.tsx'
import { SearchIndexSection } from '#web/features/search/index-status.tsx'
import { t } from '#web/i18n/t.ts'
import { AccessDeniedScreen, NotFoundPage } from '#web/pages/frame/error-pages.tsx'
import { PageFrame } from '#web/pages/frame/page-frame.tsx'

export function CollectionSettingsPage() {
  const { collection: name = '' } = useParams({ strict: false })
  const { collection, error, retry } = useCollection(name)
  if (collection === null) return <NotFoundPage />
  if (collection === undefined) {
    return error ? (
      <PageFrame title={t('Fields and settings')}>
        <FailureNotice error={error} onRetry={retry} />
      </PageFrame>
    ) : null
  }
  if (!collection.can.includes('collections:manage')) return <AccessDeniedScreen permission="collections:manage" />
  return <Settings key={collection.id} collection={collection} />
}

function Settings({ collection }: { readonly collection: TypedCollection }) {
  const navigate = useNavigate()
  const follow = useFollow()
  return (
    <PageFrame
      title={t('Fields and settings')}
      lead={collection.label}
      actions={
        <Button component="a" href={collectionPath(collection.name)} onClick={follow}>
          {t('Show records')}
        </Button>
      }
    >
      <FieldList collection={collection} />
      <LayoutSection collection={collection} />
      <RulesSection collection={collection} />
      <WorkflowSection collection={collection} />
      <CollectionAccessSection collection={collection} />
      <CollectionForm
        key={`${collection.name} ${collection.label} ${collection.titleField}`}
        collection={collection}
        onRenamed={(name) =>
          void navigate({ to: '/collections/$collection/settings', params: { collection: name }, replace: true })
        }
      />
      <section className="settings-section" aria-labelledby="look-title">
        <h2 id="look-title">{t('Icon and color')}</h2>
        <AppearanceForm key={`${collection.icon} ${collection.color}`} collection={collection} />
      </section>
      <IndexesSection collection={collection} />
      <SearchIndexSection collection={collection} />
      <DeleteCollection collection={collection} onDeleted={() => void navigate({ to: sessionConfig.routes.home })} />
    </PageFrame>
  )
}
