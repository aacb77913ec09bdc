import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '#web/data/authorization/use-can.ts'
import { IconShieldCheck } from '#web/ui/icons/start.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { AccessQuestion } from './access-question.tsx'

const drawer = lazyModule(() => import('./explain-access-drawer.tsx'))

type ExplainAccessButtonProps = { readonly given: Partial<AccessQuestion>; readonly size?: 'xs' }

export function ExplainAccessButton({ given, size }: ExplainAccessButtonProps) {
  const isManager = useCan('roles:manage')
  const [isOpen, setOpen] = useState(false)
  const { ExplainAccessDrawer } = useLazyModule(drawer, isOpen) ?? {}
  if (!isManager) return null
  return (
    <>
      <Button
        {...(size && { size, variant: 'subtle', color: 'gray' })}
        leftSection={<IconShieldCheck size={16} stroke={1.5} />}
        onClick={() => setOpen(true)}
      >
        {t('Check access')}
      </Button>
      {isOpen && ExplainAccessDrawer && <ExplainAccessDrawer given={given} onClose={() => setOpen(false)} />}
    </>
  )
}
