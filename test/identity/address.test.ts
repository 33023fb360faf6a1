import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { countedAddress, createAddressOf, type TrustedProxies, warnOfProxy } from '../../src/identity/address-of.js';

/** Returns a request as it arrives on a socket, with the header that proxies write. */
function requestFrom(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return { headers, socket: { remoteAddress }, connection: { remoteAddress } } as unknown as IncomingMessage;
}

function addressOf(trusted: TrustedProxies, remoteAddress: string, forwardedFor?: string) {
  return createAddressOf(trusted)(requestFrom(remoteAddress, forwardedFor));
}

describe('prefixes of IPv6 addresses', () => {
  const ADDRESS = '2001:db8:1:23f4:5:6:7:8';
  it.each([
    [48, '2001:db8:1::/48'],
    [56, '2001:db8:1:2300::/56'],
    [64, '2001:db8:1:23f4::/64'],
    [128, ADDRESS],
  ] as const)('an IPv6 address with the prefix /%i is counted as %s', (ipv6Prefix, counted) => {
    expect(countedAddress(ADDRESS, ipv6Prefix)).toBe(counted);
    expect(createAddressOf(0, { ipv6Prefix })(requestFrom(ADDRESS))).toBe(counted);
    expect(createAddressOf(1, { ipv6Prefix })(requestFrom('10.0.0.1', ADDRESS))).toBe(counted);
    // IPv4 addresses stay unchanged, whatever the prefix is.
    expect(countedAddress('::ffff:192.0.2.1', ipv6Prefix)).toBe('192.0.2.1');
    expect(countedAddress('64:ff9b::192.0.2.1', ipv6Prefix)).toBe('192.0.2.1');
    expect(countedAddress('::1.2.3.4', ipv6Prefix)).toBe(ipv6Prefix === 128 ? '::102:304' : `::/${ipv6Prefix}`);
  });
});

describe('requests with X-Forwarded-For', () => {
  const send = (trusted: TrustedProxies, count: number, header: string | undefined = '203.0.113.9') => {
    const warnings: string[] = [];
    const onUntrusted = warnOfProxy({ warn: (message) => warnings.push(String(message)) }, 'TOLLGATE_TRUSTED_PROXIES');
    const read = createAddressOf(trusted, { onUntrusted });
    for (let i = 0; i < count; i++) read(requestFrom('10.0.0.1', header));
    return warnings;
  };

  it('many forwarded requests without a trusted proxy cause one warning that names the setting', () => {
    const warnings = send(0, 300);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('TOLLGATE_TRUSTED_PROXIES');
    expect(warnings[0]).toContain('10.0.0.1');
  });

  it('a trusted proxy, few forwarded requests, and requests without the header cause no warning', () => {
    expect(send(1, 300)).toEqual([]);
    expect(send(0, 99)).toEqual([]);
    expect(createAddressOf(0)(requestFrom('10.0.0.1'))).toBe('10.0.0.1');
  });
});

describe('the counted form of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['64:ff9b::c000:0202', '192.0.2.2'],
    ['0064:FF9B:0:0:0:0:ffff:ffff', '255.255.255.255'],
    ['64:ff9b:1::192.0.2.1', '64:ff9b:1::/64'],
    ['64:ff9b:0:0:1::192.0.2.1', '64:ff9b::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['fe80::2%25wlan1', 'fe80::/64'],
  ])('the address %s is counted as %s', (text, counted) => {
    expect(countedAddress(text)).toBe(counted);
  });

  it.each([
    '',
    'unknown',
    '1',
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '192.0.2.256',
    '192.0.2.1:80',
    '2001:db8::/64',
  ])('the text "%s" is not an address', (text) => {
    expect(countedAddress(text)).toBeUndefined();
  });

  it('two IPv6 networks are counted separately', () => {
    expect(countedAddress('2001:db8:1:2::1')).not.toBe(countedAddress('2001:db8:1:3::1'));
  });
});

describe('the address of a request', () => {
  it('the address is that of the socket if no proxy is trusted, whatever the headers contain', () => {
    expect(addressOf(0, '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
    expect(addressOf([], '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
  });

  it('the address is the one before the configured number of proxies, whatever a caller puts before it', () => {
    expect(addressOf(1, '10.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
    expect(addressOf(2, '10.0.0.1', 'spoofed, 198.51.100.7, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9');
    const rotated = [1, 2, 3].map((last) => addressOf(1, '10.0.0.1', `198.51.100.${last}, 203.0.113.9`));
    expect(new Set(rotated)).toEqual(new Set(['203.0.113.9']));
  });

  it('the address is the right-most one outside the trusted networks', () => {
    const trusted = ['10.0.0.0/8', 'loopback'];
    expect(addressOf(trusted, '10.0.0.1', '198.51.100.7, 203.0.113.9, 10.9.9.9')).toBe('203.0.113.9');
    expect(addressOf(trusted, '::ffff:10.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
    expect(addressOf(trusted, '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
  });

  it('a forwarded address may have a port, and may be IPv6', () => {
    expect(addressOf(1, '10.0.0.1', '203.0.113.9:4711')).toBe('203.0.113.9');
    expect(addressOf(1, '10.0.0.1', '[2001:db8:1:2::5]:4711')).toBe('2001:db8:1:2::/64');
    expect(addressOf(['10.0.0.0/8'], '10.0.0.1', '203.0.113.9, 10.0.0.7:4711')).toBe('203.0.113.9');
  });

  it('the address is that of the proxy if the proxy forwards no valid address', () => {
    const rubbish = ['unknown', '', ',,', '999.1.1.1', '_hidden'].map((text) => addressOf(1, '10.0.0.1', text));
    expect(new Set(rubbish)).toEqual(new Set(['10.0.0.1']));
  });
});
