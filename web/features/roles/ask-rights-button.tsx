import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '#web/client/use-can.ts'
import { IconShieldCheck } from '#web/kit/icons/icon-shield-check.ts'
import { later, useLater } from '#web/kit/later.ts'
import { t } from '#web/language/t.ts'
import type { Asked } from './asked.ts'

const drawer = later(() => import('./ask-rights-drawer.tsx'))

type AskRightsButtonProps = { readonly given: Partial<Asked>; readonly size?: 'xs' }

/** Asks whether somebody may; offered to whoever manages roles. */
export function AskRightsButton({ given, size }: AskRightsButtonProps) {
  const isManager = useCan('roles:manage')
  const [isOpen, setOpen] = useState(false)
  const { AskRightsDrawer } = useLater(drawer, isOpen) ?? {}
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
      {isOpen && AskRightsDrawer && <AskRightsDrawer given={given} onClose={() => setOpen(false)} />}
    </>
  )
}
