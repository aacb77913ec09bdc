import { Skeleton } from '@mantine/core'
import { useCan } from '#web/data/authorization/use-can.ts'
import { AppLink } from '#web/shared/navigation/app-link.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import '../roles.css'

const access = lazyModule(() => import('./collection-access.tsx'))

export function CollectionAccessSection({ collection }: { readonly collection: TypedCollection }) {
  const isManager = useCan('roles:manage')
  const { CollectionAccess } = useLazyModule(access, isManager) ?? {}
  if (!isManager) return null
  return (
    <section className="settings-section" data-tour="collection-access" aria-labelledby="access-title">
      <div className="settings-head">
        <h2 id="access-title">{t('Access')}</h2>
      </div>
      <p className="dialog-hint">
        <Say
          text="Each role’s permissions. Select a cell to edit it. Assign roles on the <applink>People</applink> page."
          parts={{
            applink: (inner) => (
              <AppLink href="/settings/users" className="roles-link">
                {inner}
              </AppLink>
            ),
          }}
        />
      </p>
      <div className="access-wide">
        {CollectionAccess ? (
          <CollectionAccess collection={collection} />
        ) : (
          <Skeleton height={160} role="img" aria-label={t('Loading')} />
        )}
      </div>
    </section>
  )
}
