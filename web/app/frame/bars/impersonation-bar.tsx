import { Button } from '@mantine/core'
import { stopImpersonation } from '#web/data/authorization/impersonation.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import './impersonation-bar.css'

/** Shown on every page while impersonating. */
export function ImpersonationBar({ name }: { readonly name: string }) {
  return (
    <section className="view-as-bar" aria-label={t('Viewing as another user')}>
      <p>
        <Say text="Viewing as {name}. Read-only." values={{ name: <strong>{name}</strong> }} />
      </p>
      <Button size="xs" onClick={stopImpersonation}>
        {t('Stop')}
      </Button>
    </section>
  )
}
