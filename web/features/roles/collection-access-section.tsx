import { Skeleton } from '@mantine/core'
import { useCan } from '#web/client/use-can.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { later, useLater } from '#web/kit/later.ts'

const access = later(() => import('./collection-access.tsx'))

/** Who may do what in a collection, for whoever manages roles. */
export function CollectionAccessSection({ collection }: { readonly collection: KnownCollection }) {
  const isManager = useCan('roles:manage')
  const { CollectionAccess } = useLater(access, isManager) ?? {}
  if (!isManager) return null
  return (
    <section className="settings-section" aria-labelledby="access-title">
      <div className="settings-head">
        <h2 id="access-title">Access</h2>
      </div>
      <p className="dialog-hint">
        What each role may do here. People have their roles from the page of people; what is not allowed by any of them
        is not allowed.
      </p>
      {CollectionAccess ? <CollectionAccess collection={collection} /> : <Skeleton height={160} aria-label="Loading" />}
    </section>
  )
}
