import { Badge, Button } from '@mantine/core'
import { newRecoveryCodes } from '#api/second-factors.ts'
import { RECOVERY_CODE_COUNT } from '#domain/sessions/second-factors.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { Panel } from '#web/ui/layout/panel.tsx'
import { t } from '#web/i18n/t.ts'
import { useAccountChange } from '#web/features/account/account-queries.ts'
import type { FactorPanelProps } from './factor-panel-props.ts'

type RecoveryPanelProps = Pick<FactorPanelProps, 'onRecoveryCodes' | 'onChanged' | 'notice'> & { readonly left: number }

export function RecoveryPanel({ left, notice, onRecoveryCodes, onChanged }: RecoveryPanelProps) {
  const renew = useAccountChange({
    run: () => call(newRecoveryCodes),
    touches: [queryKeys.factors, queryKeys.sessions],
    onDone({ recoveryCodes }) {
      onChanged()
      onRecoveryCodes(recoveryCodes)
    },
  })
  return (
    <Panel
      mark="recovery"
      title={t('Recovery codes')}
      state={
        <Badge color={left > 3 ? 'gray' : 'warning'}>
          {t('{left} of {recoveryCodeCount} left', { left, recoveryCodeCount: RECOVERY_CODE_COUNT })}
        </Badge>
      }
      lead={t(
        'Use them to sign in if you lose your phone or security key. Generating new codes invalidates the old ones.',
      )}
    >
      {notice}
      <Button loading={renew.isPending} onClick={() => renew.mutate()}>
        {t('Generate new codes')}
      </Button>
    </Panel>
  )
}
