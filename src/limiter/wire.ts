import type { ChargeRecord, Demand } from './engine.js';
import type { Limit } from './limit.js';

// How requests and replies of the scripts look: the counterpart of what lua/*.lua says at its top. Little-endian.

export const DEFINITION_BYTES = 37;
export const CHARGE_BYTES = 7;
export const CHARGED_LIMIT_BYTES = 8;
export const CORRECTION_BYTES = 24;

const LEAKY = 1;
const LEASES = 2;
const SHADOW = 4;
const COUNT_DENIED = 8;

/** One call's KEYS and ARGV[1]. Keys and definitions are sent once each and then named by number, from 1. */
export interface RequestWriter {
  readonly keys: string[];
  addCharge(demand: Demand, chargeId: string, keyOf: (limit: Limit) => string): void;
  addSettlement(charge: ChargeRecord, actual: Readonly<Record<string, number>>, keyOf: (limit: Limit) => string): void;
  toBuffer(): Buffer;
}

export function createRequestWriter(): RequestWriter {
  const keys: string[] = [];
  const keyNumbers = new Map<string, number>();
  const definitions: Limit[] = [];
  const definitionNumbers = new Map<Limit, number>();
  let items = Buffer.allocUnsafe(1024);
  let length = 0;
  let count = 0;

  function numberOfKey(key: string): number {
    let number = keyNumbers.get(key);
    if (number === undefined) {
      number = keys.push(key);
      keyNumbers.set(key, number);
    }
    return number;
  }

  function numberOf(limit: Limit): number {
    let number = definitionNumbers.get(limit);
    if (number === undefined) {
      number = definitions.push(limit);
      definitionNumbers.set(limit, number);
    }
    return number;
  }

  function reserve(bytes: number): void {
    if (length + bytes <= items.length) return;
    const larger = Buffer.allocUnsafe(items.length * 2 + bytes);
    items.copy(larger, 0, 0, length);
    items = larger;
  }

  return {
    keys,

    addCharge({ limits, costs }, chargeId, keyOf) {
      reserve(CHARGE_BYTES + limits.length * CHARGED_LIMIT_BYTES);
      items[length] = limits.length;
      items.write(chargeId, length + 1, 6, 'latin1');
      length += CHARGE_BYTES;
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        items.writeUInt16LE(numberOfKey(keyOf(limit)), length);
        items.writeUInt16LE(numberOf(limit), length + 2);
        items.writeUInt32LE(costs[i]!, length + 4);
        length += CHARGED_LIMIT_BYTES;
      }
      count++;
    },

    addSettlement({ limits, costs, chargeId, stampMs }, actual, keyOf) {
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const spent = actual[limit.id];
        if (spent === undefined || (spent === costs[i] && !limit.leases)) continue;
        reserve(CORRECTION_BYTES);
        items.writeUInt16LE(numberOfKey(keyOf(limit)), length);
        items.writeUInt16LE(numberOf(limit), length + 2);
        items.writeUInt32LE(costs[i]!, length + 4);
        items.writeUInt32LE(spent, length + 8);
        items.writeUIntLE(stampMs, length + 12, 6);
        items.write(chargeId, length + 18, 6, 'latin1');
        length += CORRECTION_BYTES;
        count++;
      }
    },

    toBuffer() {
      const request = Buffer.allocUnsafe(2 + definitions.length * DEFINITION_BYTES + 2 + length);
      request.writeUInt16LE(definitions.length, 0);
      let place = 2;
      for (const limit of definitions) {
        writeDefinition(request, place, limit);
        place += DEFINITION_BYTES;
      }
      request.writeUInt16LE(count, place);
      items.copy(request, place + 2, 0, length);
      return request;
    },
  };
}

function writeDefinition(buffer: Buffer, at: number, limit: Limit): void {
  const flags =
    (limit.leaky ? LEAKY : 0) +
    (limit.leases ? LEASES : 0) +
    (limit.shadow ? SHADOW : 0) +
    (limit.countDenied ? COUNT_DENIED : 0);
  buffer[at] = limit.shape;
  buffer[at + 1] = flags;
  buffer.write(limit.identity.recordId, at + 2, 6, 'latin1');
  writeUInt56(buffer, at + 8, limit.capacity);
  buffer.writeUIntLE(limit.windowMs || limit.refillAmount, at + 15, 5);
  buffer.writeUIntLE(limit.refillPeriodMs, at + 20, 5);
  writeUInt56(buffer, at + 25, limit.maxDebt);
  buffer.writeUIntLE(limit.maxDelayMs, at + 32, 5);
}

/** Node writes at most six bytes of an integer at once. */
function writeUInt56(buffer: Buffer, at: number, value: number): void {
  buffer.writeUInt32LE(value % 2 ** 32, at);
  buffer.writeUIntLE(Math.floor(value / 2 ** 32), at + 4, 3);
}
