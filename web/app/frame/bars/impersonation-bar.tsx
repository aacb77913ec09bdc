import { Button } from '@mantine/core'
import { stopImpersonation } from '#web/data/authorization/impersonation.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import './impersonation-bar.css'

/** Says as whom one looks, on every page, with the way back. */
export function ImpersonationBar({ name }: { readonly name: string }) {
  return (
    <section className="view-as-bar" aria-label={t('Seen as somebody else')}>
      <p>
        <Say text="You see Dossier as {name}. Nothing can be changed." values={{ name: <strong>{name}</strong> }} />
      </p>
      <Button size="xs" onClick={stopImpersonation}>
        {t('Stop')}
      </Button>
    </section>
  )
}
