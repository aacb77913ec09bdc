import { Button } from '@mantine/core'
import { stopImpersonation } from '#web/data/authorization/impersonation.ts'
import { Say } from '#web/i18n/say.tsx'
import { useIsReachable } from '#web/data/session/use-session.ts'
import { loadUnsent, type UnsentRecord, unsentState } from '#web/data/unsent/unsent-state.ts'
import { plural, t } from '#web/i18n/t.ts'
import { IconAlertTriangle, IconRefresh } from '#web/ui/icons/start.ts'
import { useStore } from '#web/ui/store.ts'
import { notify } from '#web/ui/toast/notify.ts'
import './frame-bar.css'
import './impersonation-bar.css'

/** After reconnecting, shows whether records created offline were synced or one was rejected. */
export function UnsentBar() {
  const isReachable = useIsReachable()
  const { records, isSending } = useStore(unsentState)
  const refused = records.find(({ failure }) => failure !== null)
  return (
    <div role="status">
      {isReachable && refused && <RefusedRecord record={refused} />}
      {isReachable && !refused && isSending && (
        <div className="frame-bar">
          <IconRefresh size={16} stroke={1.5} aria-hidden />
          <p>{plural(records.length, 'Sending {n} new record…', 'Sending {n} new records…')}</p>
        </div>
      )}
    </div>
  )
}

/** A record that the server rejected is shown until the user corrects or discards it. */
function RefusedRecord({ record }: { readonly record: UnsentRecord }) {
  const { collection, body, failure } = record
  const discard = async () => {
    const putBack = await (await loadUnsent()).discard(record)
    const run = () => {
      notify.dismiss(body.id)
      void putBack()
    }
    notify.info(t('New record discarded'), { id: body.id, action: { label: t('Undo'), run } })
  }
  return (
    <div className="frame-bar" data-kind="offline">
      <IconAlertTriangle size={16} stroke={1.5} aria-hidden />
      <p>
        <strong>{t('A new record couldn’t be sent.')}</strong> {failure?.detail}
      </p>
      <div className="frame-bar-ways">
        <Button size="xs" variant="subtle" color="gray" onClick={() => void discard()}>
          {t('Discard')}
        </Button>
        <Button size="xs" component="a" href={`/collections/${collection}/${body.id}`}>
          {t('Open record')}
        </Button>
      </div>
    </div>
  )
}

/** Shown on every page during impersonation. */
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
