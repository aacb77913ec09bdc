import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from './fetch-upload.ts'

test.each(['93.184.216.34', '1.1.1.1', '2606:2800:220:1:248:1893:25c8:1946', '2a00:1450:4001:830::200e'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

const NOT_PUBLIC = `
  127.0.0.1 127.9.9.9 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
  169.254.169.254 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1 :: ::1 fe80::1 fe80::1%eth0
  fc00::1 fd12::1 ff02::1 2001:db8::1 100::1 fec0::1 ::ffff:127.0.0.1 ::ffff:93.184.216.34
  ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001:0:1:: 2001:2::1 2001:10::1 2001:20::1
  localhost 93.184.216.34:80`

test.each([...NOT_PUBLIC.trim().split(/\s+/), ''])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test('no address of a private network is public', () => {
  const part = fc.nat(255)
  const own = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127, 0), part, part, part),
    fc.tuple(fc.constant(192), fc.constant(168), part, part),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), part, part),
    fc.tuple(fc.constant(169), fc.constant(254), part, part),
  )
  fc.assert(
    fc.property(own, (parts) => {
      expect(isPublicAddress(parts.join('.'))).toBe(false)
      expect(isPublicAddress(`::ffff:${parts.join('.')}`)).toBe(false)
    }),
  )
})
